import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const NOBODY = 1
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
  const listen = async (user: ApiClient) => {
    const { queue_id } = await user.must('POST', '/register', { event_types: ['realm'], fetch_event_types: [] })
    return async () =>
      (await user.must('GET', '/events', { queue_id, dont_block: true })).events.map(
        ({ id: _, ...event }: { id: number }) => event,
      )
  }
  const told = (data: object) => ({ type: 'realm', op: 'update_dict', property: 'default', data })

  test('each change is answered, told to everybody, and holds from the next request on', async () => {
    const server = await parley()
    const [owner, admin, member, guest] = [
      server.as('owner'),
      server.as('admin'),
      server.as('member'),
      server.as('guest'),
    ]
    const sent = { type: 'stream', to: 'general', topic: 'settings', content: 'as it was' }
    const { id } = await member.must('POST', '/messages', sent)
    const queues = await Promise.all([member, guest].map(listen))
    const edit = async () => (await member.patch(`/messages/${id}`, { content: server.unique('changed') })).status

    assert.deepEqual(await change(admin, { allow_message_editing: false }), { allow_message_editing: false })
    assert.equal(await edit(), 400)
    assert.deepEqual(await change(admin, { allow_message_editing: false }), {}, 'as it is')
    const both = { allow_message_editing: true, can_create_groups: { new: MODERATORS, old: MEMBERS } }
    assert.deepEqual(await change(owner, both), { allow_message_editing: true, can_create_groups: MODERATORS })
    assert.equal(await edit(), 200)
    assert.deepEqual(await settingsFor(guest), { editing: true, groups: MODERATORS })
    assert.deepEqual(await change(owner, { can_create_groups: { new: MEMBERS } }), { can_create_groups: MEMBERS })
    const expected = [
      { allow_message_editing: false },
      { allow_message_editing: true },
      { can_create_groups: MODERATORS },
      { can_create_groups: MEMBERS },
    ]
    for (const heard of queues) assert.deepEqual(await heard(), expected.map(told))
    assert.deepEqual(await change(owner, {}), {}, 'nothing asked for')
  })

  test('refuse who may not, what is stale, and values that a setting does not take', async () => {
    const server = await parley()
    const [owner, admin, moderator] = [server.as('owner'), server.as('admin'), server.as('moderator')]
    const heard = await listen(owner)
    const before = await settingsFor(owner)
    for (const [who, parameters, code, msg] of [
      [moderator, { allow_message_editing: false }, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
      [admin, { can_create_groups: { new: MEMBERS } }, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'],
      [
        admin,
        { allow_message_editing: false, can_create_groups: { new: NOBODY } },
        'UNAUTHORIZED_PRINCIPAL',
        'Must be an organization owner',
      ],
      [
        owner,
        { allow_message_editing: false, can_create_groups: { new: NOBODY, old: MODERATORS } },
        'EXPECTATION_MISMATCH',
        "'old' value does not match the expected value.",
      ],
      [
        owner,
        { can_create_groups: { new: 8 } },
        'BAD_REQUEST',
        "'can_create_groups' setting cannot be set to 'role:internet' group.",
      ],
      [
        owner,
        { can_create_groups: { new: { direct_members: [], direct_subgroups: [7, 4] } } },
        'BAD_REQUEST',
        "'can_create_groups' setting cannot be set to 'role:everyone' group.",
      ],
      [owner, { can_create_groups: { new: 99 } }, 'BAD_REQUEST', 'Invalid user group'],
      [
        owner,
        { can_create_groups: { new: { direct_members: [2_000_000_000], direct_subgroups: [] } } },
        'BAD_REQUEST',
        'Invalid user ID: 2000000000',
      ],
      [owner, { can_create_groups: 4 }, 'BAD_REQUEST', 'can_create_groups is not a dict'],
      [owner, { can_create_groups: {} }, 'BAD_REQUEST', 'can_create_groups["new"] field is missing'],
    ] as const) {
      const [, answered, said] = await change(who, parameters)
      assert.deepEqual([answered, said], [code, msg], JSON.stringify(parameters))
    }
    assert.deepEqual(await settingsFor(owner), before, 'nothing of it was done')
    assert.deepEqual(await heard(), [])
  })

  test('a group without a name is kept in one form, and loses who is deactivated', async () => {
    const server = await parley()
    const [owner, user, other] = [server.as('owner'), await server.newUser(), await server.newUser()]
    const named = { direct_members: [other.userId, user.userId, user.userId], direct_subgroups: [MODERATORS] }
    const kept = { direct_members: [user.userId, other.userId], direct_subgroups: [MODERATORS] }
    assert.deepEqual(await change(owner, { can_create_groups: { new: named } }), { can_create_groups: kept })
    assert.deepEqual(await change(owner, { can_create_groups: { new: kept, old: named } }), {})
    const heard = await listen(other)
    await owner.must('DELETE', `/users/${user.userId}`)
    const left = { ...kept, direct_members: [other.userId] }
    assert.deepEqual(await heard(), [told({ can_create_groups: left })])
    assert.deepEqual((await settingsFor(owner)).groups, left)
    const alone = { direct_members: [], direct_subgroups: [MEMBERS] }
    assert.deepEqual(await change(owner, { can_create_groups: { new: alone } }), { can_create_groups: MEMBERS })
  })

  test('a group without a name lists a thousand at most', async () => {
    const server = await parley()
    const crowd = Array.from({ length: 1001 }, (_, index) => index + 1)
    const wanted = { new: { direct_members: crowd, direct_subgroups: [] } }
    const [, , msg] = await change(server.as('owner'), { can_create_groups: wanted })
    assert.match(msg, /'can_create_groups' lists more than 1000/)
  })

  test('two changes at the same time end as one after the other, and only one of two that expect the same', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const heard = await listen(owner)
    const outcomes = await Promise.all(
      [2, 3].map((group) => change(owner, { can_create_groups: { new: group, old: MEMBERS } })),
    )
    const accepted = outcomes.filter((outcome) => !Array.isArray(outcome))
    assert.deepEqual(
      outcomes.flatMap((outcome) => (Array.isArray(outcome) ? [outcome[1]] : [])),
      ['EXPECTATION_MISMATCH'],
    )
    assert.deepEqual(await heard(), accepted.map(told))
    await change(owner, { can_create_groups: { new: MEMBERS } })
  })
})
