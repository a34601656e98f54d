import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

/** The empty system group: remains when the only named user is removed. */
const NOBODY = 1

onEachDatabase('deactivation of a user in permission groups (STATE-USER-2, SEC-WRITE-4)', (dialect) => {
  const parley = sharedParley(dialect)
  const named = (...users: ApiClient[]) => ({
    direct_members: users.map(({ userId }) => userId).toSorted((a, b) => a - b),
    direct_subgroups: [] as number[],
  })

  /** Creates a channel of `creator` with the given settings. */
  async function channelOf(creator: ApiClient, wishes: Record<string, unknown>) {
    const { id, name } = await (await parley()).newChannel([creator], wishes)
    const settings = async (reader: ApiClient) => (await reader.must('GET', `/streams/${id}`)).stream
    return { id, name, settings }
  }

  test('every setting of every channel loses them, and everybody who sees the channel is told', async () => {
    const server = await parley()
    const [admin, user, other] = [server.as('admin'), await server.newUser(), await server.newUser()]
    const [member, guest] = [server.as('member'), server.as('guest')]
    const both = await channelOf(admin, {
      can_send_message_group: { ...named(user, admin), direct_subgroups: [3] },
      can_remove_subscribers_group: named(user),
      can_create_topic_group: named(other),
    })
    const own = await channelOf(user, {})
    const [ofMember, ofGuest] = [await member.listen(['stream']), await guest.listen(['stream'])]
    await admin.must('DELETE', `/users/${user.userId}`)

    const update = ({ id, name }: typeof own, property: string, value: unknown) => ({
      type: 'stream',
      op: 'update',
      stream_id: id,
      name,
      property,
      value,
    })
    const told = await ofMember()
    assert.deepEqual(told, [
      update(both, 'can_remove_subscribers_group', NOBODY),
      update(both, 'can_send_message_group', { ...named(admin), direct_subgroups: [3] }),
      update(own, 'can_administer_channel_group', NOBODY),
    ])
    assert.deepEqual(await ofGuest(), [], 'who sees none of them')
    for (const channel of [both, own]) {
      const settings = await channel.settings(member)
      for (const { stream_id, property, value } of told) {
        if (stream_id === channel.id) assert.deepEqual(settings[property], value)
      }
    }
    assert.deepEqual((await both.settings(member)).can_create_topic_group, named(other), 'others stay')
    await admin.must('POST', `/users/${user.userId}/reactivate`)
    assert.deepEqual((await own.settings(member)).can_administer_channel_group, NOBODY, 'it does not come back')
    assert.deepEqual(await ofMember(), [])
  })

  test('access to a private channel by their ID alone is not restored by reactivation (DIFF-REACTIVATION)', async () => {
    const server = await parley()
    const [owner, user, other] = [server.as('owner'), await server.newUser(), await server.newUser()]
    const channel = await channelOf(owner, { invite_only: true, can_subscribe_group: named(user, other) })
    const mayKnow = async (reader: ApiClient) => (await reader.get(`/streams/${channel.id}`)).status === 200
    assert.deepEqual([await mayKnow(user), await mayKnow(other)], [true, true])
    const queue = await other.listen(['stream'])
    await owner.must('DELETE', `/users/${user.userId}`)
    await owner.must('POST', `/users/${user.userId}/reactivate`)
    assert.deepEqual([await mayKnow(user), await mayKnow(other)], [false, true])
    assert.deepEqual(
      (await queue()).map(({ property, value }: Record<string, unknown>) => [property, value]),
      [['can_subscribe_group', named(other)]],
    )
    await owner.must('DELETE', `/users/${other.userId}`)
    await owner.must('POST', `/users/${other.userId}/reactivate`)
    assert.equal(await mayKnow(other), false)
    await server.inDatabase(async ({ knex }) => {
      const [row] = await knex('channel').where({ id: channel.id }).select('has_group_readers')
      assert.equal(Number(row.has_group_readers), 0, 'nobody is left to look for')
    })
  })
})
