import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOrganizationGroupSetting } from '../../domain/user-groups/group-settings.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const NOBODY = 1
const OWNERS = 2
const MODERATORS = 4
const MEMBERS = 6

onEachDatabase('PATCH /realm', (dialect) => {
  const parley = sharedParley(dialect)
  const settingsFor = async (user: ApiClient) => {
    const { realm_allow_message_editing: editing, realm_can_create_groups: groups } = await user.must(
      'POST',
      '/register',
      { event_types: [], fetch_event_types: ['realm'] },
    )
    return { editing, groups }
  }
  const change = async (user: ApiClient, parameters: Record<string, unknown>) => {
    const { status, body } = await user.patch('/realm', parameters)
    const { result: _, msg, code, ignored_parameters_unsupported: __, ...rest } = body
    return status === 200 ? rest : [status, code, msg]
  }
  const asSent = (name: string, value: unknown): unknown => {
    if (name === 'jitsi_server_url') return JSON.stringify(value)
    return isOrganizationGroupSetting(name) ? { new: value } : value
  }
  const told = (data: object) => ({ type: 'realm', op: 'update_dict', property: 'default', data })

  test('an anonymous group is stored in one form, and loses deactivated users', async () => {
    const server = await parley()
    const [owner, user, other] = [server.as('owner'), await server.newUser(), await server.newUser()]
    const named = { direct_members: [other.userId, user.userId, user.userId], direct_subgroups: [MODERATORS] }
    const kept = { direct_members: [user.userId, other.userId], direct_subgroups: [MODERATORS] }
    assert.deepEqual(await change(owner, { can_create_groups: { new: named } }), { can_create_groups: kept })
    assert.deepEqual(await change(owner, { can_create_groups: { new: kept, old: named } }), {})
    const heard = await other.listen(['realm'])
    await owner.must('DELETE', `/users/${user.userId}`)
    const left = { ...kept, direct_members: [other.userId] }
    assert.deepEqual(await heard(), [told({ can_create_groups: left })])
    assert.deepEqual((await settingsFor(owner)).groups, left)
    const last = { direct_members: [other.userId], direct_subgroups: [] }
    await change(owner, { can_manage_all_groups: { new: last } })
    const heardByOwner = await owner.listen(['realm'])
    await owner.must('DELETE', `/users/${other.userId}`)
    const defaults = (await heardByOwner()).find(({ data }) => 'can_manage_all_groups' in data)
    assert.deepEqual(defaults, told({ can_manage_all_groups: OWNERS }), 'nobody cannot be chosen')
    const alone = { direct_members: [], direct_subgroups: [MEMBERS] }
    assert.deepEqual(await change(owner, { can_create_groups: { new: alone } }), { can_create_groups: MEMBERS })
  })

  test('an anonymous group has at most a thousand members', async () => {
    const server = await parley()
    const crowd = Array.from({ length: 1001 }, (_, index) => index + 1)
    const wanted = { new: { direct_members: crowd, direct_subgroups: [] } }
    const [, , msg] = await change(server.as('owner'), { can_create_groups: wanted })
    assert.match(msg, /'can_create_groups' lists more than 1000/)
  })

  test('a setting of each kind is announced in its own form, and stays', async () => {
    const server = await parley()
    const [owner, guest] = [server.as('owner'), server.as('guest')]
    const state = async () =>
      (await guest.must('POST', '/register', { event_types: [], fetch_event_types: ['realm'] })) as Record<
        string,
        unknown
      >
    const before = await state()
    const heard = await guest.listen(['realm'])
    const update = (property: string, value: unknown) => ({ type: 'realm', op: 'update', property, value })
    const cases: readonly (readonly [name: string, value: unknown, event?: object])[] = [
      ['name', 'Harbour'],
      ['default_code_block_language', 'python'],
      ['jitsi_server_url', 'https://meet.example.com'],
      ['message_content_delete_limit_seconds', null],
      ['presence_disabled', true],
      ['video_chat_provider', 1],
      ['message_content_edit_limit_seconds', 3600, told({ message_content_edit_limit_seconds: 3600 })],
      [
        'message_edit_history_visibility_policy',
        'none',
        told({ message_edit_history_visibility_policy: 'none', allow_edit_history: false }),
      ],
      ['topics_policy', 'disable_empty_topic', told({ topics_policy: 'disable_empty_topic', mandatory_topics: true })],
      [
        'description',
        'For **all**.',
        told({ description: 'For **all**.', rendered_description: '<p>For <strong>all</strong>.</p>' }),
      ],
      ...(
        [
          ['can_create_public_channel_group', { create_public_stream_policy: 4 }],
          ['can_create_private_channel_group', { create_private_stream_policy: 4 }],
          ['can_mention_many_users_group', { wildcard_mention_policy: 7 }],
          ['can_manage_all_groups', {}],
        ] as const
      ).map(([name, older]) => [name, MODERATORS, told({ [name]: MODERATORS, ...older })] as const),
    ]
    for (const [name, value, event = update(name, value)] of cases) {
      const sent = asSent(name, value)
      const answered = typeof value === 'string' ? 'updated' : value
      assert.deepEqual(await change(owner, { [name]: sent }), { [name]: answered }, name)
      assert.deepEqual(await heard(), [event], name)
      assert.deepEqual((await state())[`realm_${name}`], value)
      assert.deepEqual(await change(owner, { [name]: sent }), {}, `${name}, as it is`)
    }
    const after = await state()
    assert.deepEqual(
      [after.realm_allow_edit_history, after.realm_mandatory_topics, after.realm_wildcard_mention_policy],
      [false, true, 7],
    )
    const settings = (await guest.get('/server_settings')).body
    assert.deepEqual([settings.realm_name, settings.realm_description], ['Harbour', '<p>For <strong>all</strong>.</p>'])
    // Restores several at once. The events are in the order of the table, not of the request.
    const restored = cases.map(([name]) => [name, before[`realm_${name}`]] as const)
    await change(owner, { video_chat_provider: before.realm_video_chat_provider })
    await heard()
    const wishes = restored.map(([name, value]) => [name, asSent(name, value)])
    await owner.must('PATCH', '/realm', Object.fromEntries(wishes.reverse()))
    assert.equal((await heard()).at(0).property, 'name')
    const { queue_id, last_event_id } = before
    assert.deepEqual({ ...(await state()), queue_id, last_event_id }, before)
  })

  test('refuse values with the messages of deployed servers', async () => {
    const server = await parley()
    const [owner, admin] = [server.as('owner'), server.as('admin')]
    const heard = await owner.listen(['realm'])
    for (const [parameters, msg] of [
      [{ name: 'a\nb' }, 'Invalid characters in name!'],
      [{ default_language: 'xx-yy' }, "Invalid language 'xx-yy'"],
      [{ video_chat_provider: 99 }, 'Invalid video_chat_provider 99'],
      [{ video_chat_provider: 1 }, 'Invalid video_chat_provider 1'],
      [{ authentication_methods: { Email: false } }, 'At least one authentication method must be enabled.'],
      [
        { authentication_methods: { Email: true, Fax: true } },
        'Invalid authentication method: Fax. Valid methods are: Email',
      ],
      [{ gif_rating_policy: 44 }, 'Invalid gif_rating_policy 44'],
      [
        { can_manage_all_groups: { new: NOBODY } },
        "'can_manage_all_groups' setting cannot be set to 'role:nobody' group.",
      ],
      [
        { can_access_all_users_group: { new: MODERATORS } },
        "'can_access_all_users_group' setting can only be set to one of the groups role:everyone, role:members.",
      ],
    ] as const) {
      assert.deepEqual(await change(owner, { org_type: 10, ...parameters }), [400, 'BAD_REQUEST', msg])
    }
    const refused = [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner']
    for (const parameters of [{ can_manage_all_groups: { new: 3 } }, { authentication_methods: { Email: true } }])
      assert.deepEqual(await change(admin, parameters), refused, 'even with the present value')
    assert.deepEqual(await heard(), [])
    assert.deepEqual(await change(owner, { message_content_delete_limit_seconds: '"unlimited"' }), {
      message_content_delete_limit_seconds: null,
    })
    await owner.must('PATCH', '/realm', { message_content_delete_limit_seconds: 600, message_retention_days: 30 })
    const forever = { message_retention_days: -1 }
    assert.deepEqual(await change(owner, { message_retention_days: '"unlimited"' }), forever)
    assert.deepEqual(await change(owner, { authentication_methods: { Email: true } }), {})
    const { body } = await owner.patch('/realm', { mandatory_topics: true })
    assert.deepEqual(body.ignored_parameters_unsupported, ['mandatory_topics'], 'gone at level 392')
  })

  test('video calls need a server, which is announced with them', async () => {
    const server = await parley()
    const owner = server.as('owner')
    await owner.must('PATCH', '/realm', { jitsi_server_url: '"https://meet.example.com"', video_chat_provider: 1 })
    const refused = [400, 'BAD_REQUEST', 'Invalid video_chat_provider 1']
    assert.deepEqual(await change(owner, { jitsi_server_url: null }), refused)
    const both = { jitsi_server_url: null, video_chat_provider: 0 }
    assert.deepEqual(await change(owner, both), both)
  })

  test('the waiting period decides who is a full member, and changes are announced together', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const newest = [await server.newUser(), await server.newUser()].map(({ userId }) => userId)
    const heard = await owner.listen(['user_group'])
    const fullMembers = async () =>
      (await owner.must('POST', '/register', { fetch_event_types: ['realm_user_groups'] })).realm_user_groups.find(
        ({ name }: { name: string }) => name === 'role:fullmembers',
      ).members as number[]
    const before = await fullMembers()
    await owner.must('PATCH', '/realm', { waiting_period_threshold: 3 })
    assert.deepEqual(await fullMembers(), [])
    await owner.must('PATCH', '/realm', { can_create_public_channel_group: { new: 5 } })
    const channel = { subscriptions: [{ name: server.unique('New') }] }
    const create = async () => (await server.as('member').post('/users/me/subscriptions', channel)).status
    assert.equal(await create(), 400)
    await owner.must('PATCH', '/realm', { waiting_period_threshold: 0 })
    assert.equal(await create(), 200)
    await owner.must('PATCH', '/realm', { can_create_public_channel_group: { new: MEMBERS } })
    const group = { type: 'user_group', group_id: 5, user_ids: before }
    assert.deepEqual(await heard(), [
      { ...group, op: 'remove_members' },
      { ...group, op: 'add_members' },
    ])
    assert.ok(newest.every((id) => before.includes(id)))
  })
})
