import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /realm/user_settings_defaults', (dialect) => {
  const parley = sharedParley(dialect)

  const change = (user: ApiClient, values: object) => user.patch('/realm/user_settings_defaults', { ...values })
  const type = 'realm_user_settings_defaults'
  const register = (user: ApiClient) =>
    user.must('POST', '/register', { event_types: [type], fetch_event_types: [type, 'user_settings'] })

  test('new users have them, in the language of the organization; unchanged ones are not announced', async () => {
    const server = await parley()
    const [admin, guest] = [server.as('admin'), server.as('guest')]
    const heard = await guest.listen([type])
    const wanted = { enter_sends: true, color_scheme: 2, twenty_four_hour_time: null }
    await change(admin, { ...wanted, emojiset: 'google' })
    const told = (await heard()).map(({ property, value }) => [property, value])
    assert.deepEqual([Object.fromEntries(told), told.length], [wanted, 3])
    await admin.must('PATCH', '/realm', { default_language: 'de' })
    const own = (await register(await server.newUser())).user_settings
    for (const [name, value] of Object.entries({ ...wanted, default_language: 'de' })) assert.equal(own[name], value)
    await change(admin, { enter_sends: false, color_scheme: 1 })
    await admin.must('PATCH', '/realm', { default_language: 'en' })
    assert.equal((await register(guest)).user_settings.default_language, 'en')
  })
})
