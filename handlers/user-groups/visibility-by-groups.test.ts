import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'
import { groupTools, said } from './groups-testing.ts'

const FULL_MEMBERS = 5

onEachDatabase('channels that are visible by group membership', (dialect) => {
  const parley = sharedParley(dialect)
  const { make, change, patch, deactivate } = groupTools(parley)

  /** Returns a function that returns a short form of the new events about channels. */
  const listen = async (user: ApiClient) => {
    const client_capabilities = { notification_settings_null: true, archived_channels: true }
    const heard = await user.listen(['stream', 'subscription'], { client_capabilities })
    return async (): Promise<Answer['body'][]> =>
      (await heard()).map(({ type, op, streams, stream_ids, user_ids }) => {
        const of = streams?.map((one: { stream_id: number; name?: string }) => [one.stream_id, one.name])
        return [type, op, of ?? [stream_ids, user_ids]]
      })
  }
  const privateChannel = async (
    owner: ApiClient,
    subscribers: readonly number[],
    settings: Record<string, unknown>,
  ) => {
    const name = (await parley()).unique('Known')
    const { id } = await owner.must('POST', '/channels/create', {
      name,
      subscribers,
      invite_only: true,
      ...settings,
    })
    return {
      id: id as number,
      name,
      came: ['stream', 'create', [[id, name]]],
      went: ['stream', 'delete', [[id, undefined]]],
    }
  }

  test('appear and disappear with members and subgroups, also nested ones, for non-subscribers', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const [outsider, follower, guest] = [await server.newUser(), await server.newUser(), server.as('guest')]
    const [group, inner] = [await make(owner), await make(owner)]
    await change(owner, group, { add_subgroups: [inner] })
    const followerIds = [follower.userId]
    const known = await privateChannel(owner, followerIds, { can_administer_channel_group: group })
    const read = await privateChannel(owner, followerIds, {
      can_subscribe_group: { direct_members: [owner.userId], direct_subgroups: [group] },
    })
    await privateChannel(owner, followerIds, { can_send_message_group: group })
    const alike = await privateChannel(owner, followerIds, { can_administer_channel_group: group })
    const heard = [await listen(outsider), await listen(follower), await listen(guest)] as const
    const followed = (...ids: number[]) => ['subscription', 'peer_add', [ids, followerIds]]
    const both = [known, alike]
    const came = [
      ['stream', 'create', both.map(({ id, name }) => [id, name])],
      followed(known.id, alike.id),
      read.came,
      followed(read.id),
    ]
    const went = [['stream', 'delete', both.map(({ id }) => [id, undefined])], read.went]
    const people = [outsider.userId, follower.userId, guest.userId]
    await change(owner, inner, { add: people })
    assert.deepEqual(await heard[0](), came)
    await change(owner, group, { add: people.slice(0, 1) })
    assert.deepEqual(await heard[0](), [], 'who was in it already')
    await change(owner, group, { delete: people.slice(0, 1) })
    assert.deepEqual(await heard[0](), [])
    await change(owner, group, { delete_subgroups: [inner] })
    assert.deepEqual(await heard[0](), went)
    await change(owner, group, { add_subgroups: [inner] })
    assert.deepEqual(await heard[0](), came)
    await change(owner, inner, { delete: people })
    assert.deepEqual(await heard[0](), went)
    assert.deepEqual([await heard[1](), await heard[2]()], [[], []])
  })

  test('disappear and appear with a deactivated group that an archived channel names, which stays archived without it', async () => {
    const server = await parley()
    const [owner, outsider] = [server.as('owner'), await server.newUser()]
    const group = await make(owner, { members: [outsider.userId] })
    const channel = await privateChannel(owner, [], { can_administer_channel_group: group })
    await owner.must('DELETE', `/streams/${channel.id}`)
    const heard = await listen(outsider)
    assert.equal(await said(deactivate(owner, group)), 'success')
    assert.deepEqual(await heard(), [channel.went])
    const takeBack = (more: object = {}) => said(owner.patch(`/streams/${channel.id}`, { is_archived: false, ...more }))
    assert.equal(await takeBack(), `Invalid user group ID: ${group}`, 'DIFF-GROUP-IN-USE')
    assert.equal(await said(patch(owner, group, { deactivated: false })), 'success')
    assert.deepEqual(await heard(), [channel.came])
    await deactivate(owner, group)
    assert.equal(await takeBack({ can_administer_channel_group: { new: FULL_MEMBERS } }), 'success')
    assert.equal(await said(patch(owner, group, { deactivated: false })), 'success')
  })

  test('disappear and appear with the waiting period of new members', async () => {
    const server = await parley()
    const [owner, outsider] = [server.as('owner'), await server.newUser()]
    const channel = await privateChannel(owner, [], { can_add_subscribers_group: FULL_MEMBERS })
    const heard = await listen(outsider)
    for (const [waiting_period_threshold, told] of [
      [3, channel.went],
      [0, channel.came],
    ] as const) {
      await owner.must('PATCH', '/realm', { waiting_period_threshold })
      assert.deepEqual(
        (await heard()).filter(([, , [of]]: [string, string, number[][]]) => of?.[0] === channel.id),
        [told],
      )
    }
  })
})
