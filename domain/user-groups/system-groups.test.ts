import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLE, type Role } from '../users/roles.ts'
import { SYSTEM_GROUP_ID, SYSTEM_GROUPS, systemGroupContains } from './system-groups.ts'

const roles: readonly Role[] = Object.values(ROLE)

/** Membership computed by following subgroups, for comparison with the predicate. */
function containsByWalking(groupId: number, role: Role, isNew: boolean): boolean {
  const group = SYSTEM_GROUPS.find(({ id }) => id === groupId)
  assert.ok(group)
  const isDirect = (group.directRoles as readonly Role[]).includes(role)
  const waits = group.name === 'role:fullmembers' && isNew
  return (isDirect && !waits) || group.directSubgroupIds.some((id) => containsByWalking(id, role, isNew))
}

test('keep the IDs of the first migration', () => {
  assert.deepEqual(
    SYSTEM_GROUPS.map(({ id, name }) => `${id} ${name}`),
    [
      '1 role:nobody',
      '2 role:owners',
      '3 role:administrators',
      '4 role:moderators',
      '5 role:fullmembers',
      '6 role:members',
      '7 role:everyone',
      '8 role:internet',
    ],
  )
  for (const { id, name } of SYSTEM_GROUPS) assert.equal(SYSTEM_GROUP_ID[name], id)
})

test('match their direct members and subgroups', () => {
  for (const { id, name } of SYSTEM_GROUPS) {
    for (const role of roles) {
      for (const isNew of [true, false]) {
        const expected = containsByWalking(id, role, isNew)
        assert.equal(systemGroupContains(id, role, { isNew }), expected, `${name} ${role} ${isNew}`)
      }
    }
  }
})
