import { ascending, byKey, keyed } from './order.ts'
import { type ClientPart, type ClientState, MisfitError } from './state.ts'

interface WireUserGroup {
  readonly id: number
  members: number[]
  direct_subgroup_ids: number[]
  readonly [other: string]: unknown
}

export interface UserGroupFields {
  realm_user_groups: WireUserGroup[]
}

interface SubgroupEvent {
  readonly group_id: number
  readonly direct_subgroup_ids: readonly number[]
}

interface MemberEvent {
  readonly group_id: number
  readonly user_ids: readonly number[]
}

export const part: ClientPart<UserGroupFields> = {
  fetched: ['realm_user_groups'],
  empty: { realm_user_groups: [] },
  apply: {
    'user_group add': (state, { group }: { group: WireUserGroup }) => {
      if (!state.realm_user_groups.some(({ id }) => id === group.id)) state.realm_user_groups.push(group)
    },
    'user_group update': (state, { group_id, data }: { group_id: number; data: object }) => {
      Object.assign(groupIn(state, group_id), data)
    },
    'user_group remove': (state, { group_id }: { group_id: number }) => {
      state.realm_user_groups = state.realm_user_groups.filter(({ id }) => id !== group_id)
    },
    'user_group add_subgroups': (state, { group_id, direct_subgroup_ids: ids }: SubgroupEvent) => {
      const group = groupIn(state, group_id)
      group.direct_subgroup_ids = [...new Set([...group.direct_subgroup_ids, ...ids])]
      applyPermissions(state)
    },
    'user_group remove_subgroups': (state, { group_id, direct_subgroup_ids: ids }: SubgroupEvent) => {
      const group = groupIn(state, group_id)
      group.direct_subgroup_ids = group.direct_subgroup_ids.filter((id) => !ids.includes(id))
      applyPermissions(state)
    },
    'user_group add_members': (state, { group_id, user_ids }: MemberEvent) => {
      const group = state.realm_user_groups.find((one) => one.id === group_id)
      if (group) group.members = [...new Set([...group.members, ...user_ids])]
      applyPermissions(state)
    },
    'user_group remove_members': (state, { group_id, user_ids }: MemberEvent) => {
      const group = state.realm_user_groups.find((one) => one.id === group_id)
      if (group) group.members = group.members.filter((id) => !user_ids.includes(id))
      applyPermissions(state)
    },
  },
  normalize: (state) => ({
    realm_user_groups: byKey(state.realm_user_groups, (group) => group.id).map((group) => ({
      ...group,
      members: group.members.toSorted(ascending),
      direct_subgroup_ids: group.direct_subgroup_ids.toSorted(ascending),
    })),
  }),
  view: ({ realm_user_groups: groups }, { users }) => ({
    groups: keyed(
      groups.filter(({ members }) => members.some((id) => users.has(id))),
      ({ id }) => id,
      ({ members }) => members.filter((id) => users.has(id)).toSorted(ascending),
    ),
  }),
}

function groupIn(state: UserGroupFields, id: number): WireUserGroup {
  const group = state.realm_user_groups.find((one) => one.id === id)
  if (!group) throw new MisfitError(`group ${id} changed, which no event made known`)
  return group
}

/** A group, or people and groups without a name. */
type GroupSetting =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

/** Fields about the user itself that follow from the settings and groups of the organization. */
export function applyPermissions(state: UserGroupFields & ClientState): void {
  const { realm_can_create_public_channel_group: open, realm_can_create_private_channel_group: hidden } = state
  const { realm_can_invite_users_group: invite } = state
  // A client that asked for a part of the state lacks some of it.
  const isKnown = 'realm_user_groups' in state && state.realm_user_groups.length > 0
  if (!isKnown || open === undefined || hidden === undefined || invite === undefined) return
  // A group that others made may contain guests, but these settings give guests nothing.
  const [mayCreatePublic, mayCreatePrivate, mayInvite] = [open, hidden, invite].map(
    (setting) => state.is_guest !== true && isIn(state, setting),
  )
  Object.assign(state, {
    can_create_streams: mayCreatePublic || mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_private_streams: mayCreatePrivate,
    can_invite_others_to_realm: mayInvite,
  })
}

function isIn(state: UserGroupFields & ClientState, setting: unknown): boolean {
  const value = setting as GroupSetting
  const group = state.realm_user_groups.find(({ id }) => id === value)
  const {
    direct_members: members = group?.members ?? [],
    direct_subgroups: subgroups = group?.direct_subgroup_ids ?? [],
  } = typeof value === 'number' ? {} : value
  return members.includes(state.user_id) || subgroups.some((id) => isIn(state, id))
}
