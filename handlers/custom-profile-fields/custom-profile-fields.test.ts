import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_FIELD_DATA_LENGTH, MAX_PROFILE_FIELDS, MAX_PROFILE_PEOPLE } from '../../domain/limits.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const [SHORT, LONG, CHOICE, DATE, LINK, PEOPLE, ACCOUNT, PRONOUNS] = [1, 2, 3, 4, 5, 6, 7, 8] as const
const choices = (...texts: string[]) =>
  Object.fromEntries(texts.map((text, index) => [String(index), { text, order: String(index + 1) }]))

onEachDatabase('custom profile fields', (dialect) => {
  const parley = sharedParley(dialect)
  const register = (client: ApiClient, more = {}) =>
    client.must('POST', '/register', { event_types: ['custom_profile_fields', 'realm_user'], ...more })
  const listen = (client: ApiClient, more = {}) => client.listen(['custom_profile_fields', 'realm_user'], more)
  const add = async (admin: ApiClient, field_type: number, more: { name: string; [other: string]: unknown }) =>
    (await admin.must('POST', '/realm/profile_fields', { field_type, ...more })).id as number
  const remove = (admin: ApiClient, ids: readonly number[]) =>
    Promise.all(ids.map((id) => admin.must('DELETE', `/realm/profile_fields/${id}`)))
  const listed = async (client: ApiClient) => (await client.must('GET', '/realm/profile_fields')).custom_fields
  const profileOf = async (client: ApiClient, viewer = client) => {
    const { user } = await viewer.must('GET', `/users/${client.userId}`, { include_custom_profile_fields: true })
    return user.profile_data
  }
  const say = (client: ApiClient, ...data: object[]) => client.patch('/users/me/profile_data', { data })

  test('are announced only if something changes; pronouns are a text for older clients', async () => {
    const server = await parley()
    const [admin, guest] = [server.as('admin'), server.as('guest')]
    const before = (await listed(guest)).map(({ id }: { id: number }) => id)
    const heard = await listen(guest, {
      client_capabilities: { notification_settings_null: true, pronouns_field_type_supported: true },
    })
    const heardByOld = await listen(guest)
    const first = await add(admin, PRONOUNS, { name: server.unique('One'), hint: 'Yours' })
    assert.equal((await register(guest)).custom_profile_fields.at(-1).type, SHORT)
    const order = [first, ...before, 999_999]
    for (const _ of [1, 2]) await admin.must('PATCH', '/realm/profile_fields', { order })
    for (const more of [{}, { required: false }])
      await admin.must('PATCH', `/realm/profile_fields/${first}`, { hint: '', ...more })
    await remove(admin, [first])
    const told = (await heard()).map(({ fields }) => fields)
    const ids = told.map((fields: { id: number }[]) => fields.map(({ id }) => id))
    assert.deepEqual(ids, [[...before, first], [first, ...before], [first, ...before], before])
    assert.equal(told[0].at(-1).type, PRONOUNS)
    assert.equal((await heardByOld())[0].fields.at(-1).type, SHORT)
    for (const call of [
      admin.patch(`/realm/profile_fields/${first}`, { name: 'x' }),
      admin.delete(`/realm/profile_fields/${first}`),
    ]) {
      assert.equal((await call).body.msg, `Field id ${first} not found.`)
    }
  })

  test('are refused with a reason (DIFF-PROFILE-FIELDS)', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const name = server.unique('Label')
    const id = await add(admin, SHORT, { name })
    const known = await add(admin, ACCOUNT, { name: 'ignored', field_data: { subtype: 'github' } })
    const other = { name: server.unique('Other') }
    const custom = { ...other, field_type: ACCOUNT }
    const chosen = { ...other, field_type: CHOICE }
    const long = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [index, { text: `${index}`, order: '1' }]),
    )
    assert.ok(JSON.stringify(long).length > MAX_FIELD_DATA_LENGTH)
    for (const [values, msg] of [
      [{ ...other, field_type: 9 }, 'Invalid field type.'],
      [{ field_type: SHORT }, 'Label cannot be blank.'],
      [{ field_type: SHORT, name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
      [{ ...other, field_type: SHORT, hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
      [{ field_type: LONG, name }, 'A field with that label already exists.'],
      [{ field_type: LONG, name: ` ${name} ` }, 'A field with that label already exists.'],
      [
        { name: 'x', field_type: ACCOUNT, field_data: { subtype: 'github' } },
        'A field with that label already exists.',
      ],
      [
        { ...other, field_type: PEOPLE, display_in_profile_summary: true },
        'Field type not supported for display in profile summary.',
      ],
      [chosen, 'Field must have at least one choice.'],
      [{ ...chosen, field_data: choices('A', 'A') }, 'Field must not have duplicate choices.'],
      [{ ...chosen, field_data: choices(' ') }, 'field_data["text"] cannot be blank.'],
      [{ ...chosen, field_data: { a: { text: 'A' } } }, 'order key is missing from field_data'],
      [{ ...chosen, field_data: { a: { text: 1, order: '1' } } }, 'field_data["text"] is not a string'],
      [{ ...chosen, field_data: long }, `field_data is too long (limit: ${MAX_FIELD_DATA_LENGTH} characters)`],
      [custom, 'subtype key is missing from field_data'],
      [{ ...custom, field_data: { subtype: 'constructor' } }, 'Invalid external account type'],
      [{ ...custom, field_data: { subtype: 'custom' } }, 'Custom external account must define URL pattern'],
      [
        { ...custom, field_data: { subtype: 'custom', url_pattern: 'https://a.example/' } },
        "URL pattern must contain '%(username)s'.",
      ],
      [
        { ...custom, field_data: { subtype: 'custom', url_pattern: 'javascript:%(username)s' } },
        'url_pattern is not a URL',
      ],
    ] as const) {
      const { status, body } = await admin.post('/realm/profile_fields', values)
      assert.deepEqual([status, body.msg], [400, msg], JSON.stringify(values))
    }
    const refusal = async (field: number, values: Record<string, unknown>) =>
      (await admin.patch(`/realm/profile_fields/${field}`, values)).body.msg
    assert.equal(await refusal(known, { hint: 'Other' }), 'Default custom field cannot be updated.')
    assert.equal(await refusal(known, { required: true, hint: '', field_data: { subtype: 'github' } }), '')
    assert.equal(await refusal(id, { name: 'GitHub username ' }), 'A field with that label already exists.')
    for (const order of [[], [id], [id, known, id]]) {
      assert.equal((await admin.patch('/realm/profile_fields', { order })).body.msg, 'Invalid order mapping.')
    }
    await remove(admin, [id, known])
  })

  test('two are in the profile summary, and fifty in a profile', async () => {
    const admin = (await parley()).as('admin')
    const many = Array.from({ length: MAX_PROFILE_FIELDS + 3 }, (_, index) => ({
      field_type: SHORT,
      name: `Many ${index}`,
      display_in_profile_summary: index < 4,
    }))
    const answers = await Promise.all(many.map((field) => admin.post('/realm/profile_fields', field)))
    assert.deepEqual(
      new Set(answers.map(({ body }) => body.msg)),
      new Set([
        '',
        'Only 2 custom profile fields can be displayed in the profile summary.',
        `A profile has at most ${MAX_PROFILE_FIELDS} custom fields.`,
      ]),
    )
    const made = answers.filter(({ status }) => status === 200)
    await remove(
      admin,
      made.map(({ body }) => body.id),
    )
  })

  test('contain the values of people, which everybody is told and sees', async () => {
    const server = await parley()
    const [admin, guest, user] = [server.as('admin'), server.as('guest'), await server.newUser()]
    const bot = server.as('bot')
    const { userId: gone } = await server.newUser()
    await admin.must('DELETE', `/users/${gone}`)
    const named = (label: string) => ({ name: server.unique(label) })
    const [text, long, choice, date, link, people, account] = [
      await add(admin, SHORT, named('Text')),
      await add(admin, LONG, named('Long')),
      await add(admin, CHOICE, { ...named('Choice'), field_data: choices('A', 'B') }),
      await add(admin, DATE, named('Date')),
      await add(admin, LINK, named('Link')),
      await add(admin, PEOPLE, named('People')),
      await add(admin, ACCOUNT, {
        ...named('Account'),
        field_data: { subtype: 'custom', url_pattern: 'https://a.example/%(username)s' },
      }),
    ]
    const heard = await listen(guest)
    const given = [
      { id: text, value: '' },
      { id: people, value: [guest.userId, user.userId] },
      { id: account, value: '<b>' },
    ]
    for (const _ of [1, 2]) assert.equal((await say(user, ...given)).status, 200)
    const profile = await profileOf(user, guest)
    assert.deepEqual(
      Object.entries(profile).map(([id, said]) => [Number(id), (said as { value: string }).value]),
      given.map(({ id, value }) => [id, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
    assert.equal((await heard()).length, given.length, 'the same again is not told')

    for (const [update, msg] of [
      [{ id: text, value: 'x'.repeat(51) }, / is too long \(limit: 50 characters\)$/],
      [{ id: text, value: [1] }, / is not a string$/],
      [{ id: choice, value: 'toString' }, /^'toString' is not a valid choice for 'Choice/],
      [{ id: choice, value: '' }, /^'' is not a valid choice/],
      [{ id: choice, value: `a${'😀'.repeat(50)}` }, /^'a(😀){48}…' is not a valid choice/u],
      ...['2021-02-29', '20-02-28', '0000-01-01', '', '2021-1-1'].map(
        (value) => [{ id: date, value }, / is not a date$/] as const,
      ),
      ...['abc', 'javascript:alert(1)', 'https://', 'https:a', 'http://a b'].map(
        (value) => [{ id: link, value }, / is not a URL$/] as const,
      ),
      [{ id: link, value: `https://a.example/${'x'.repeat(1000)}` }, /limit: 1000/],
      [{ id: people, value: '[1]' }, /^User IDs is not a list$/],
      [{ id: people, value: [999_999] }, /^Invalid user ID: 999999$/],
      [{ id: people, value: [bot.userId] }, / is a bot$/],
      [{ id: people, value: [gone] }, / is deactivated$/],
      [{ id: people, value: Array(MAX_PROFILE_PEOPLE + 1).fill(user.userId) }, /at most 100 people/],
      [{ id: account, value: 'x'.repeat(51) }, /limit: 50/],
      [{ id: long, value: '😀'.repeat(400) }, /^The values of a profile have at most 32768 bytes as HTML\.$/],
    ] as const) {
      const { status, body } = await say(user, { id: account, value: 'changed' }, update)
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], JSON.stringify(update))
      assert.match(body.msg, msg)
    }
    assert.deepEqual(await profileOf(user), profile, 'all or nothing')

    await user.must('DELETE', '/users/me/profile_data', { data: [text, text, long] })
    await admin.must('PATCH', `/users/${user.userId}`, { profile_data: [{ id: people, value: [] }] })
    await remove(admin, [account])
    assert.deepEqual(await profileOf(user, guest), {})
    assert.deepEqual(
      (await heard()).map(({ type, person }) => person?.custom_profile_field ?? type),
      [...[text, people].map((id) => ({ id, value: null })), 'custom_profile_fields'],
    )
    await remove(admin, [text, long, choice, date, link, people])
  })
})
