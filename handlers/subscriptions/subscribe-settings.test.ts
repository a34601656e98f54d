import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, type Parameters, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /users/me/subscriptions: settings of new channels', (dialect) => {
  const parley = sharedParley(dialect)

  const make = async (maker: ApiClient, name: string, parameters: Parameters = {}) =>
    maker.post('/users/me/subscriptions', { subscriptions: [{ name }], ...parameters })
  const channel = async (viewer: ApiClient, name: string) =>
    (await viewer.must('GET', '/streams', { include_all: true })).streams.find(
      (one: { name: string }) => one.name === name,
    )

  test('group settings as they were given, in their simplest form', async () => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const name = server.unique('Grouped')
    const group = (direct_members: number[], direct_subgroups: number[]) => ({ direct_members, direct_subgroups })
    const wishes = {
      can_send_message_group: group([], [4]),
      can_subscribe_group: group([], []),
      can_add_subscribers_group: group([member.userId, member.userId], [4, 3]),
      can_administer_channel_group: 3,
      can_delete_own_message_group: 7,
      can_create_topic_group: group([admin.userId], []),
    }
    assert.equal((await make(admin, name, wishes)).status, 200)
    const made = await channel(admin, name)
    assert.deepEqual(
      Object.keys(wishes).map((setting) => made[setting]),
      [4, 1, group([member.userId], [3, 4]), 3, 7, group([admin.userId], [])],
    )
    assert.deepEqual([made.can_remove_subscribers_group, made.stream_post_policy], [3, 4])
  })

  test('refuse groups and people that are not there, and groups that a setting does not take', async () => {
    const server = await parley()
    const member = server.as('member')
    const name = server.unique('Refused')
    for (const [parameters, msg] of [
      [{ can_send_message_group: 99 }, 'Invalid user group'],
      [{ can_send_message_group: 8 }, "'can_send_message_group' setting cannot be set to 'role:internet' group."],
      [{ can_subscribe_group: 7 }, "'can_subscribe_group' setting cannot be set to 'role:everyone' group."],
      [{ can_subscribe_group: { direct_members: [] } }, 'can_subscribe_group["direct_subgroups"] field is missing'],
      [
        { can_subscribe_group: { direct_members: [2_000_000_000], direct_subgroups: [] } },
        'Invalid user ID: 2000000000',
      ],
      [
        { can_subscribe_group: { direct_members: [member.userId], direct_subgroups: [1] } },
        "'can_subscribe_group' setting cannot be set to 'role:nobody' group.",
      ],
      [{ can_delete_any_message_group: 5 }, 'Insufficient permission'],
      [{ is_default_stream: true }, 'You do not have permission to change default channels.'],
      [{ is_web_public: true }, 'Web-public channels are not enabled.'],
      [{ folder_id: 1 }, 'Invalid channel folder ID'],
    ] as const) {
      const { status, body } = await make(member, name, parameters)
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', msg])
    }
    const priv = await make(server.as('admin'), name, { is_default_stream: true, invite_only: true })
    assert.equal(priv.body.msg, 'A default channel cannot be private.')
    assert.equal(await channel(server.as('owner'), name), undefined)
  })

  test("the caller's colour, for the caller alone", async () => {
    const server = await parley()
    const [maker, other] = [await server.newUser(), await server.newUser()]
    const name = server.unique('Coloured')
    const subscriptions = [{ name, color: '#0BA' }]
    const principals = [maker.userId, other.userId]
    await maker.must('POST', '/users/me/subscriptions', { subscriptions, principals })
    const colorOf = async (user: ApiClient) =>
      (await user.must('GET', '/users/me/subscriptions')).subscriptions[0].color
    assert.equal(await colorOf(maker), '#00bbaa')
    assert.notEqual(await colorOf(other), '#00bbaa')
    const bad = await maker.post('/users/me/subscriptions', { subscriptions: [{ name, color: 'blue' }] })
    assert.equal(bad.body.msg, 'color is not a valid hex color code')
  })
})
