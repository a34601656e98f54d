import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '../../db/repositories.ts'
import { channelRows, insertRows, userRows } from '../../db/rows-testing.ts'
import type { UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { turnsDuring } from '../../event-loop/loop-testing.ts'
import type { Actor } from '../../permissions/actor.ts'
import { DIALECTS, openDatabase } from '../../server/testing.ts'
import { changeGroupMembers } from './change-group-members.ts'
import { createGroup } from './create-group.ts'
import { deactivateGroup } from './deactivate-group.ts'
import { leaveGroups } from './leave-groups.ts'

const PEOPLE = Array.from({ length: 6000 }, (_, index) => index + 1) as UserId[]
const NOTHING = { add: [], remove: [], addSubgroups: [], removeSubgroups: [] }

for (const dialect of DIALECTS) {
  test(`groups of thousands are read and written in pieces (SEC-GROUPS-3), ${dialect}`, async (t) => {
    const { db } = await openDatabase(t, dialect)
    await db.transaction((tx) => insertRows(tx, 'user', userRows(PEOPLE)))
    const [first] = await db.read.users.byIds([PEOPLE[0] as UserId])
    const owner = { ...first, role: ROLE.owner } as unknown as Actor
    const make = (name: string, members: readonly number[], subgroups: readonly number[] = []) =>
      db.transaction((tx) => createGroup(tx, owner, { name, description: '', members, subgroups, settings: {} }))
    const some = PEOPLE.slice(0, 3500)
    const large = await make('large', some)
    const larger = await make('larger', PEOPLE.slice(100, 3700), [large])
    const small = await make('small', PEOPLE.slice(0, 2), [large, larger])

    const before = await db.read.shared.userGroups()
    const sizes = (groups: typeof before) => groups.slice(-3).map((one) => [one.memberIds.length, one.subgroupIds])
    assert.deepEqual(sizes(before), [
      [3500, []],
      [3600, [large]],
      [2, [large, larger]],
    ])
    assert.deepEqual(before.at(-3)?.memberIds, some)
    assert.deepEqual(await db.read.userGroups.wholeByIds([small, larger, large]), before.slice(-3))

    const turns = await turnsDuring(t, () =>
      db.transaction((tx) => changeGroupMembers(tx, owner, large, { ...NOTHING, add: PEOPLE.slice(3500) })),
    )
    assert.ok(turns >= 6, `others had ${turns} turns while 2,500 people came`)

    const groups = await db.read.shared.userGroups()
    assert.deepEqual(groups.at(-3)?.memberIds, PEOPLE)
    for (const [index, group] of groups.entries()) {
      assert.equal(group === before[index], group.id !== large, `group ${group.id} is read again only when it changes`)
    }
  })
}

// SQLite only: on MariaDB every statement lets others run.
test('others have turns during the search for channels that name a group or user (SEC-GROUPS-3)', async (t) => {
  const { db } = await openDatabase(t, 'sqlite')
  await db.transaction((tx) => insertRows(tx, 'user', userRows([1, 2])))
  const [first] = await db.read.users.byIds([1 as UserId])
  const owner = { ...first, role: ROLE.owner } as unknown as Actor
  const group = { name: 'g', description: '', members: [], subgroups: [], settings: {} }
  const id = await db.transaction((tx) => createGroup(tx, owner, group))
  const count = 200
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  const naming = (...users: number[]) => {
    const listed = { direct_members: users, direct_subgroups: [10 * id] }
    return { group_settings: JSON.stringify({ can_subscribe_group: listed }) }
  }
  await db.transaction(async (tx) => {
    const hidden = { ...naming(1), invite_only: true }
    const rows = channelRows([...ids, ...ids.map((one) => one + count)])
    await insertRows(
      tx,
      'channel',
      rows.map((row, index) => ({ ...row, ...(index < count ? hidden : naming(1, 2)) })),
    )
  })
  for (const [name, least, work] of [
    ['entering a group', count, (tx) => changeGroupMembers(tx, owner, id, { ...NOTHING, add: [2 as UserId] })],
    ['deactivating a group', 3 * count, (tx) => deactivateGroup(tx, owner, id)],
    ['deactivating a user', 2 * count, (tx) => leaveGroups(tx, 2 as UserId)],
  ] as const satisfies [string, number, (tx: Tx) => Promise<unknown>][]) {
    const turns = await turnsDuring(t, () => db.transaction(work))
    assert.ok(turns >= least, `${name}: ${turns} turns`)
  }
  const left = (await db.read.channels.all()).filter(({ groupSettings }) => {
    const value = groupSettings.can_subscribe_group
    return typeof value === 'object' && value.direct_members.includes(2)
  })
  assert.deepEqual(left, [])
})
