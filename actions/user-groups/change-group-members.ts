import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserGroupLogEvent } from '../../domain/events/log-event.ts'
import { ascending, type UserId } from '../../domain/ids.ts'
import { groupEvent } from '../../domain/user-groups/group-event.ts'
import { roomOf } from '../../domain/user-groups/group-graph.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accessGroupToChange, type GroupRights } from '../../permissions/manage-group.ts'
import { refuseUnknownUsers } from './accept-group-value.ts'
import { announceChannelsOfGroup } from './channels-of-group.ts'
import { refuseUnknownGroups, refuseWithoutRoom } from './create-group.ts'

/** IDs as the request has them. */
export interface MemberChanges {
  readonly add: readonly number[]
  readonly remove: readonly number[]
  readonly addSubgroups: readonly number[]
  readonly removeSubgroups: readonly number[]
}

/**
 * Changes the members and subgroups of a group, all or nothing, and announces the additions first.
 *
 * @throws {BadRequestError}
 */
export async function changeGroupMembers(tx: Tx, actor: Actor, id: number, wanted: MemberChanges): Promise<void> {
  const { group, rights } = await accessGroupToChange(tx, actor, id)
  if (Object.values(wanted).every((ids) => ids.length === 0)) {
    throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
  }
  const [add, remove] = [ascending(wanted.add) as UserId[], ascending(wanted.remove) as UserId[]]
  const [addSubgroups, removeSubgroups] = [ascending(wanted.addSubgroups), ascending(wanted.removeSubgroups)]
  refuseForbidden(actor, rights, { add, remove, addSubgroups, removeSubgroups })
  const present = tx.organization.groups.contentsOf(id)
  const [members, subgroups] = [new Set(present?.memberIds), new Set(present?.subgroupIds)]

  await refuseUnknownUsers(tx, add)
  refuseAny(
    add,
    (one) => members.has(one as UserId),
    (one) => `User ${one} is already a member of this group`,
  )
  refuseAny(
    remove,
    (one) => !members.has(one as UserId),
    (one) => `There is no member '${one}' in this user group`,
  )
  refuseUnknownGroups(tx, addSubgroups)
  refuseAny(
    addSubgroups,
    (one) => subgroups.has(one),
    (one) => `User group ${one} is already a subgroup of this group.`,
  )
  refuseAny(
    removeSubgroups,
    (one) => !subgroups.has(one),
    (one) => `User group ${one} is not a subgroup of this group.`,
  )
  if (tx.organization.groups.within(addSubgroups).has(id)) {
    throw new BadRequestError(`User group ${id} is already a subgroup of one of the passed subgroups.`)
  }
  await refuseWithoutRoom(tx, actor, group.creatorId, roomOf({ members: add.length, subgroups: addSubgroups.length }))

  const before = tx.organization
  await tx.userGroups.addMembers(id, add)
  await tx.userGroups.removeMembers(id, remove)
  await tx.userGroups.addSubgroups(id, addSubgroups)
  await tx.userGroups.removeSubgroups(id, removeSubgroups)
  const tell = (event: UserGroupLogEvent): void =>
    tx.events.append(groupEvent(group.isDeactivated, event), { to: 'everyone' })
  for (const [op, user_ids] of [
    ['add_members', add],
    ['remove_members', remove],
  ] as const) {
    if (user_ids.length > 0) tell({ type: 'user_group', op, group_id: id, user_ids })
  }
  for (const [op, direct_subgroup_ids] of [
    ['add_subgroups', addSubgroups],
    ['remove_subgroups', removeSubgroups],
  ] as const) {
    if (direct_subgroup_ids.length > 0) tell({ type: 'user_group', op, group_id: id, direct_subgroup_ids })
  }
  const regrouped = { userIds: [...add, ...remove], groupIds: [...addSubgroups, ...removeSubgroups] }
  await announceChannelsOfGroup(tx, before, { groupId: id, ...regrouped })
}

function refuseForbidden(
  actor: Actor,
  rights: GroupRights,
  { add, remove, addSubgroups, removeSubgroups }: MemberChanges,
): void {
  const isSelf = (id: number): boolean => id === actor.id
  const mayAdd = rights.has('can_add_members_group', ...(add.every(isSelf) ? (['can_join_group'] as const) : []))
  const mayRemove = rights.has(
    'can_remove_members_group',
    ...(remove.every(isSelf) ? (['can_leave_group'] as const) : []),
  )
  const isRefused =
    (add.length > 0 && !mayAdd) ||
    (remove.length > 0 && !mayRemove) ||
    (addSubgroups.length > 0 && !rights.has('can_add_members_group')) ||
    (removeSubgroups.length > 0 && !rights.has('can_remove_members_group'))
  if (isRefused) throw new BadRequestError('Insufficient permission')
}

function refuseAny(ids: readonly number[], isWrong: (id: number) => boolean, sentence: (id: number) => string): void {
  const wrong = ids.find(isWrong)
  if (wrong !== undefined) throw new BadRequestError(sentence(wrong))
}
