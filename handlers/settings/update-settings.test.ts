import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { USER_SETTING_NAMES, userSettings } from '../../domain/users/user-settings.ts'
import { ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const { paths } = JSON.parse(readFileSync(new URL('../../generated/decoded.json', import.meta.url), 'utf8'))
const _form: Record<string, { enum?: unknown[] }> =
  paths['/api/v1/settings'].patch.requestBody.content['application/json'].schema.properties
const _defaults = userSettings({})

type Told = { readonly person: { readonly user_id: number } }

onEachDatabase('PATCH /settings', (dialect) => {
  const parley = sharedParley(dialect)
  const change = (user: ApiClient, parameters: object, path = '/settings') =>
    user.request('PATCH', path, { ...parameters })
  const register = (user: ApiClient, ...types: string[]) => user.must('POST', '/register', { event_types: types })
  const heard = async (user: ApiClient, { queue_id, last_event_id }: { queue_id: string; last_event_id: number }) =>
    (await user.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events.map(
      ({ id: _, ...event }: { id: number }) => event,
    )

  test('a language is told with its name, and no setting is unknown at registration', async () => {
    const user = await (await parley()).newUser()
    const queue = await register(user, 'user_settings')
    assert.deepEqual(
      Object.keys(queue.user_settings).toSorted(),
      [...USER_SETTING_NAMES, 'emojiset_choices', 'available_notification_sounds'].toSorted(),
    )
    await change(user, { default_language: 'de', twenty_four_hour_time: null })
    assert.deepEqual(
      (await heard(user, queue)).map(({ property, value, language_name }: Record<string, unknown>) => [
        ...[property, value, language_name],
      ]),
      [
        ['twenty_four_hour_time', null, undefined],
        ['default_language', 'de', 'German'],
      ],
    )
  })

  test('the older names of the URL, unknown parameters reported, and nothing where nothing changes', async () => {
    const user = await (await parley()).newUser('Idle User')
    const queue = await register(user, 'user_settings', 'realm_user')
    for (const path of ['/settings', '/settings/notifications', '/settings/display']) {
      const { status, body } = await change(
        user,
        { dense_mode: true, enable_sounds: true, full_name: ' Idle User ', email: '' },
        path,
      )
      assert.deepEqual([status, body.ignored_parameters_unsupported], [200, ['dense_mode']])
    }
    assert.deepEqual(await heard(user, queue), [])
  })

  test('refuse values that the setting does not take, and then change nothing (DIFF-SOUNDS)', async () => {
    const server = await parley()
    const user = await server.newUser()
    const queue = await register(user, 'user_settings', 'realm_user')
    for (const [parameters, message] of [
      [{ color_scheme: 4 }, 'Invalid color_scheme'],
      [{ default_language: 'xx' }, 'Invalid default_language'],
      [{ default_language: 'constructor' }, 'Invalid default_language'],
      [{ notification_sound: 'gong' }, "Invalid notification sound 'gong'"],
      [{ timezone: 'Mars/Base' }, 'timezone is not a recognized time zone'],
      [{ timezone: 'asia/tokyo' }, 'timezone is not a recognized time zone'],
      [{ email_notifications_batching_period_seconds: 0 }, 'Invalid email batching period: 0 seconds'],
      [{ web_font_size_px: 0 }, 'web_font_size_px is too small'],
      [{ full_name: '' }, 'Name too short!'],
      [{ full_name: 'a*b' }, 'Invalid characters in name!'],
      [{ email: 'no address' }, 'Enter a valid e-mail address.'],
      [{ email: server.as('owner').email }, 'Email is already in use.'],
    ] as const) {
      const { status, body } = await change(user, { fluid_layout_width: true, ...parameters })
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', message])
    }
    assert.deepEqual(await heard(user, queue), [])
  })

  test('name, address and picture are told one by one; the key works with the new address alone (DIFF-EMAIL-CHANGE)', async () => {
    const server = await parley()
    const [user, observer] = [await server.newUser(), server.as('guest')]
    const queue = await observer.must('POST', '/register', { event_types: ['realm_user'], client_gravatar: true })
    const [name, email] = [server.unique('Renamed'), `${server.unique('moved').replace(' ', '-')}@parley.example`]
    await user.must('PATCH', '/settings', { full_name: ` ${name} `, email, timezone: 'Asia/Tokyo' })
    const { user: now } = await observer.must('GET', `/users/${user.userId}`, { client_gravatar: false })
    const { avatar_url } = now
    const picture = { avatar_source: 'G', avatar_version: 2, avatar_url, avatar_url_medium: `${avatar_url}&s=500` }
    const told = (await heard(observer, queue)).map(({ person: { user_id: _, ...person } }: Told) => person)
    const address = [{ delivery_email: email }, { new_email: email }]
    assert.deepEqual(told, [{ full_name: name }, ...address, picture, { email, timezone: 'Asia/Tokyo' }])
    assert.equal((await user.get('/users/me')).status, 401)
    const moved = new ApiClient(server.url, { email, api_key: user.apiKey, user_id: user.userId })
    assert.equal((await moved.must('GET', '/users/me')).full_name, name)
  })

  test('a new password needs the old one, and is not weak', async () => {
    const user = await (await parley()).newUser()
    const refusal = async (parameters: object) => (await change(user, parameters)).body.msg
    assert.equal(await refusal({ new_password: 'another horse' }), 'Wrong password!')
    assert.equal(await refusal({ old_password: 'wrong', new_password: 'another horse' }), 'Wrong password!')
    assert.equal(await refusal({ old_password: 'correct horse', new_password: 'short' }), 'New password is too weak!')
  })

  test('of two new passwords for one old password, one is taken', async () => {
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

  test('settings of others are not mistaken for own ones, under any of the names', async () => {
    const server = await parley()
    const [other, admin] = [await server.newUser(), server.as('admin')]
    for (const [index, path] of ['/settings', '/settings/display', '/settings/notifications'].entries()) {
      const [queue, own] = [await register(other, 'user_settings'), await register(admin, 'user_settings')]
      const color_scheme = index + 1 === queue.user_settings.color_scheme ? 3 : index + 1
      const wanted = { target_users: { user_ids: [other.userId] }, color_scheme }
      const { status } = await change(admin, wanted, path)
      assert.deepEqual([status, (await heard(other, queue)).length, await heard(admin, own)], [200, 1, []], path)
    }
  })

  test('realm_user_settings_defaults: every setting that an organization can choose', async () => {
    const { realm_user_settings_defaults: defaults } = await register(
      (await parley()).as('member'),
      'realm_user_settings_defaults',
    )
    const {
      default_language: _l,
      timezone: _t,
      allow_private_data_export: _e,
      enable_login_emails: _n,
      enable_marketing_emails: _m,
      ...expected
    } = (await register(await (await parley()).newUser(), 'user_settings')).user_settings
    assert.deepEqual(defaults, expected)
  })
})
