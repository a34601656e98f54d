import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows, userRows } from '../../db/rows-testing.ts'
import type { UserId } from '../../domain/ids.ts'
import { USER_GROUP_SETTING_NAMES } from '../../domain/user-groups/wire-user-group.ts'
import { ROLE } from '../../domain/users/roles.ts'
import type { Actor } from '../../permissions/actor.ts'
import { openDatabase } from '../../server/testing.ts'
import { changeGroup } from './change-group.ts'
import { changeGroupMembers } from './change-group-members.ts'
import { createGroup } from './create-group.ts'

const PEOPLE = Array.from({ length: 1000 }, (_, index) => index + 1) as UserId[]
const FULL = { direct_members: PEOPLE, direct_subgroups: [] }
const NOTHING = { add: [], remove: [], addSubgroups: [], removeSubgroups: [] }

test('their lists are limited like members, and can always be made shorter (SEC-GROUPS-2)', async (t) => {
  const { db } = await openDatabase(t, 'sqlite')
  await db.transaction((tx) => insertRows(tx, 'user', userRows(PEOPLE)))
  const [first] = await db.read.users.byIds([PEOPLE[0] as UserId])
  const [member, owner] = [ROLE.member, ROLE.owner].map((role) => ({ ...first, role }) as unknown as Actor) as [
    Actor,
    Actor,
  ]
  const all = Object.fromEntries(USER_GROUP_SETTING_NAMES.map((name) => [name, FULL]))
  let named = 0
  const make = (actor: Actor, settings: object) => {
    const group = { name: `${++named}`, description: '', members: PEOPLE.slice(0, 2), subgroups: [], settings }
    return db.transaction((tx) => createGroup(tx, actor, group))
  }
  const change = (actor: Actor, id: number, value: object | number) =>
    db.transaction((tx) => changeGroup(tx, actor, id, { can_join_group: { new: value as number } }))
  const refused = { message: 'User groups already hold and list as many users and groups as they may.' }

  const ids: number[] = []
  await assert.rejects(async () => {
    while (ids.length < 100) ids.push(await make(member, all))
  }, refused)
  assert.ok(ids.length > 10 && ids.length < 20, `a member made ${ids.length} groups with full settings`)
  const [one = 0] = ids
  const small: number[] = []
  await assert.rejects(async () => {
    while (small.length < 100) {
      small.push(await make(member, {}))
      await change(member, small.at(-1) ?? 0, FULL)
    }
  }, refused)
  assert.ok(small.length <= 6, `${small.length} groups were made and filled later`)

  await make(owner, all)
  await change(member, one, 1)
  await db.transaction((tx) => changeGroupMembers(tx, member, one, { ...NOTHING, remove: PEOPLE.slice(0, 1) }))
  const again = await db.read.userGroups.contents()
  for (const id of [...ids, ...small]) assert.deepEqual(db.read.organization.groups.contentsOf(id), again.get(id))
})
