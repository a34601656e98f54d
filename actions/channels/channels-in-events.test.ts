import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '../../db/repositories.ts'
import { channelRows, insertRows, userRows } from '../../db/rows-testing.ts'
import type { UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import type { Actor } from '../../permissions/actor.ts'
import { openDatabase } from '../../server/testing.ts'
import { subscribeUsers } from '../subscriptions/subscribe-users.ts'
import { changeGroupMembers } from '../user-groups/change-group-members.ts'
import { createGroup } from '../user-groups/create-group.ts'
import { announceChannelsShown } from './announce-channels-shown.ts'

const MIB = 2 ** 20
const IDS = Array.from({ length: 90 }, (_, index) => index + 1)

test('any number of channels are announced in events of at most 1 MiB, each channel once', async (t) => {
  const { db } = await openDatabase(t, 'sqlite')
  await db.transaction((tx) => insertRows(tx, 'user', userRows([1, 2])))
  const [member, other] = (await db.read.users.byIds([1, 2] as UserId[])) as [User, User]
  const owner = { ...other, role: ROLE.owner } as unknown as Actor
  const group = { name: 'g', description: '', members: [], subgroups: [], settings: {} }
  const groupId = await db.transaction((tx) => createGroup(tx, owner, group))
  await db.transaction((tx) =>
    insertRows(
      tx,
      'channel',
      channelRows(IDS).map((row) => ({
        ...row,
        rendered_description: 'ö'.repeat(16 * 1024),
        invite_only: true,
        history_public_to_subscribers: true,
        group_settings: JSON.stringify({ can_subscribe_group: groupId }),
      })),
    ),
  )
  const channels = await db.read.channels.all()

  /** Returns the IDs of the channels that new events describe, which are three. */
  async function announced(work: (tx: Tx) => Promise<unknown>): Promise<number[]> {
    const head = await db.transaction(async (tx) => {
      const { eventId } = await tx.events.lockedHead()
      await work(tx)
      return eventId
    })
    const sql = 'select payload from event where id > ? and payload like ? order by id'
    const rows = await db.read.session.all<{ payload: string }>(sql, [head, '%rendered_description%'])
    assert.equal(rows.length, 3)
    return rows.flatMap(({ payload }) => {
      assert.ok(Buffer.byteLength(payload) < 1.1 * MIB)
      const { streams, subscriptions } = JSON.parse(payload)
      return (streams ?? subscriptions).map((one: { stream_id: number }) => one.stream_id)
    })
  }

  const add = { add: [member.id], remove: [], addSubgroups: [], removeSubgroups: [] }
  assert.deepEqual(await announced((tx) => changeGroupMembers(tx, owner, groupId, add)), IDS, 'entering a group')
  assert.deepEqual(await announced((tx) => subscribeUsers(tx, channels, [member])), IDS, 'subscribing')
  assert.deepEqual(await announced((tx) => announceChannelsShown(tx, other, ROLE.administrator)), IDS, 'promotion')
})
