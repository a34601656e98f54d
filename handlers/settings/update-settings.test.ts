import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /settings', (dialect) => {
  const parley = sharedParley(dialect)
  const change = (user: ApiClient, parameters: object, path = '/settings') =>
    user.request('PATCH', path, { ...parameters })

  test('refuse invalid values, and then change nothing (DIFF-SOUNDS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const queue = await user.listen(['user_settings', 'realm_user'])
    for (const [parameters, message] of [
      [{ default_language: 'xx' }, 'Invalid default_language'],
      [{ default_language: 'constructor' }, 'Invalid default_language'],
      [{ notification_sound: 'gong' }, "Invalid notification sound 'gong'"],
      [{ timezone: 'Mars/Base' }, 'timezone is not a recognized time zone'],
      [{ timezone: 'asia/tokyo' }, 'timezone is not a recognized time zone'],
      [{ email_notifications_batching_period_seconds: 0 }, 'Invalid email batching period: 0 seconds'],
      [{ email: 'no address' }, 'Enter a valid e-mail address.'],
      [{ email: server.as('owner').email }, 'Email is already in use.'],
    ] as const) {
      const { status, body } = await change(user, { fluid_layout_width: true, ...parameters })
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', message])
    }
    assert.deepEqual(await queue(), [])
  })

  test('name, address and avatar are announced one by one; the key works with the new address only (DIFF-EMAIL-CHANGE)', async () => {
    const server = await parley()
    const [user, observer] = [await server.newUser(), server.as('guest')]
    const queue = await observer.listen(['realm_user'], { client_gravatar: true })
    const [name, email] = [server.unique('Renamed'), `${server.unique('moved').replace(' ', '-')}@parley.example`]
    await user.must('PATCH', '/settings', { full_name: ` ${name} `, email, timezone: 'Asia/Tokyo' })
    const { user: now } = await observer.must('GET', `/users/${user.userId}`, { client_gravatar: false })
    const { avatar_url } = now
    const picture = { avatar_source: 'G', avatar_version: 2, avatar_url, avatar_url_medium: `${avatar_url}&s=500` }
    const told = (await queue()).map(({ person: { user_id: _, ...person } }) => person)
    const address = [{ delivery_email: email }, { new_email: email }]
    assert.deepEqual(told, [{ full_name: name }, ...address, picture, { email, timezone: 'Asia/Tokyo' }])
    assert.equal((await user.get('/users/me')).status, 401)
    const moved = new ApiClient(server.url, { email, api_key: user.apiKey, user_id: user.userId })
    assert.equal((await moved.must('GET', '/users/me')).full_name, name)
  })

  test('of two simultaneous changes of the password one succeeds', async () => {
    const server = await parley()
    const user = await server.newUser()
    const wanted = ['first new horse', 'second new horse']
    const answers = await Promise.all(
      wanted.map((password) => change(user, { old_password: 'correct horse', new_password: password })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401], 'the key went with the old password')
    const taken = wanted[answers.findIndex(({ status }) => status === 200)]
    const logIn = await user.post('/fetch_api_key', { username: user.email, password: taken ?? '' })
    assert.equal(logIn.status, 200)
  })
})
