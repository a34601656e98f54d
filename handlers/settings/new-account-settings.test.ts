import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /realm/user_settings_defaults', (dialect) => {
  const parley = sharedParley(dialect)

  const change = (user: ApiClient, values: object) => user.patch('/realm/user_settings_defaults', { ...values })
  const type = 'realm_user_settings_defaults'
  const register = (user: ApiClient) =>
    user.must('POST', '/register', { event_types: [type], fetch_event_types: [type, 'user_settings'] })

  test('new people and bots begin with them, in the language of the organization; everybody hears, nobody else changes', async () => {
    const server = await parley()
    const [admin, present, guest] = [server.as('admin'), await server.newUser(), server.as('guest')]
    const draft = { type: 'private', to: [admin.userId], topic: '', content: 'Soon.' }
    await present.must('POST', '/drafts', { drafts: [draft] })
    const queue = await register(guest)
    const wanted = {
      enter_sends: true,
      color_scheme: 2,
      enable_drafts_synchronization: false,
      twenty_four_hour_time: null,
    }
    const { body } = await change(admin, {
      ...wanted,
      emojiset: 'google',
      default_language: 'de',
      timezone: 'Asia/Tokyo',
    })
    assert.deepEqual(body.ignored_parameters_unsupported, ['default_language', 'timezone'])
    const { events } = await guest.must('GET', '/events', { ...queue, dont_block: true })
    const told = events.map(({ property, value }: { property: string; value: unknown }) => [property, value])
    assert.deepEqual(Object.fromEntries(told), wanted, 'one event for each, and none of what stays')
    assert.equal(told.length, 4)
    await admin.must('PATCH', '/realm', { default_language: 'de' })
    const own = (await register(await server.newUser())).user_settings
    for (const [name, value] of Object.entries({ ...wanted, default_language: 'de' })) assert.equal(own[name], value)
    const after = await register(present)
    assert.deepEqual({ ...after.user_settings, ...wanted, default_language: 'de' }, own)
    assert.equal(after.user_settings.enter_sends, false)
    assert.equal((await present.must('GET', '/drafts')).count, 1)
    for (const [name, value] of Object.entries(wanted)) assert.equal(after.realm_user_settings_defaults[name], value)
    await change(admin, { enter_sends: false, color_scheme: 1 })
    await admin.must('PATCH', '/realm', { default_language: 'en' })
    assert.equal((await register(await server.newUser())).user_settings.enter_sends, false)
  })

  test('administrators only, and everything or nothing', async () => {
    const server = await parley()
    const before = await register(server.as('admin'))
    for (const key of ['moderator', 'member', 'guest', 'bot']) {
      assert.equal((await change(server.as(key), { enter_sends: true })).body.code, 'UNAUTHORIZED_PRINCIPAL')
    }
    for (const [values, message] of [
      [{ color_scheme: 4 }, 'Invalid color_scheme'],
      [{ emojiset: 'apple' }, 'Invalid emojiset'],
      [{ email_address_visibility: 6 }, 'Invalid email_address_visibility'],
      [{ fluid_layout_width: 'yes' }, 'fluid_layout_width is not a boolean'],
      [{ notification_sound: 'gong' }, "Invalid notification sound 'gong'"],
      [{ email_notifications_batching_period_seconds: 0 }, 'Invalid email batching period: 0 seconds'],
      [{ web_font_size_px: 0 }, 'web_font_size_px is too small'],
    ] as const) {
      assert.equal((await change(server.as('owner'), { enter_sends: true, ...values })).body.msg, message)
    }
    const { realm_user_settings_defaults: after } = await register(server.as('admin'))
    assert.deepEqual(after, before.realm_user_settings_defaults)
  })
})
