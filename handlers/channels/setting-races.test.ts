import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

/** Each race of two concurrent requests is repeated, because their order is random. */
const ROUNDS = 4

onEachDatabase('changes of settings, groups and channels at the same time', (dialect) => {
  const parley = sharedParley(dialect)

  async function newGroup(server: TestServer, members: readonly ApiClient[]): Promise<number> {
    const values = { name: server.unique('Racing'), description: '', members: members.map(({ userId }) => userId) }
    return (await server.as('owner').must('POST', '/user_groups/create', values)).group_id
  }
  async function newChannel(server: TestServer): Promise<{ readonly id: number; readonly name: string }> {
    const name = server.unique('Racing')
    const { id } = await server.as('owner').must('POST', '/channels/create', { name, subscribers: [] })
    return { id, name }
  }

  test('whoever leaves the group that may do something has done it before, or does not', async () => {
    const server = await parley()
    const [owner, member] = [server.as('owner'), await server.newUser()]
    for (let round = 0; round < ROUNDS; round += 1) {
      const group = await newGroup(server, [member])
      const { id, name } = await newChannel(server)
      await owner.must('PATCH', `/streams/${id}`, { can_administer_channel_group: { new: group } })
      const heard = await owner.listen(['stream', 'user_group'])
      const [left, changed] = await Promise.all([
        owner.post(`/user_groups/${group}/members`, { delete: [member.userId] }),
        member.patch(`/streams/${id}`, { new_name: `${name} renamed` }),
      ])
      assert.equal(left.status, 200)
      const told = (await heard()).map(({ op }) => op)
      const isChanged = changed.status === 200
      assert.deepEqual(told, isChanged ? ['update', 'remove_members'] : ['remove_members'])
      assert.equal((await owner.must('GET', `/streams/${id}`)).stream.name, isChanged ? `${name} renamed` : name)
    }
  })

  test('a channel that is archived while somebody subscribes is told in the order in which it happened', async () => {
    const server = await parley()
    const [owner, member] = [server.as('owner'), await server.newUser()]
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, name } = await newChannel(server)
      const client_capabilities = { notification_settings_null: true, archived_channels: true }
      const heard = await member.listen(['stream', 'subscription'], { client_capabilities })
      const [archived, subscribed] = await Promise.all([
        owner.delete(`/streams/${id}`),
        member.post('/users/me/subscriptions', { subscriptions: [{ name }] }),
      ])
      assert.equal(archived.status, 200)
      const ofChannel = (await heard()).filter(
        ({ property, subscriptions }) =>
          property === 'is_archived' || subscriptions?.some((one: { stream_id: number }) => one.stream_id === id),
      )
      const told = ofChannel.map(({ type }) => type)
      const isSubscribed = subscribed.status === 200 && subscribed.body.subscribed?.[member.userId]?.includes(name)
      const { stream } = await owner.must('GET', `/streams/${id}`)
      assert.equal(stream.is_archived, true)
      const { is_subscribed } = await owner.must('GET', `/users/${member.userId}/subscriptions/${id}`)
      if (told.includes('subscription') && told[0] === 'subscription') {
        assert.deepEqual([told, isSubscribed, is_subscribed], [['subscription', 'stream'], true, true])
      } else assert.equal(is_subscribed, false, 'nobody follows what was archived before')
    }
  })
})
