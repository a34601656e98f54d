import { ascending, byKey } from './order.ts'
import type { ClientPart } from './state.ts'

interface WireUserGroup {
  readonly id: number
  members: number[]
  readonly [other: string]: unknown
}

interface UserGroupFields {
  realm_user_groups: WireUserGroup[]
}

interface MemberEvent {
  readonly group_id: number
  readonly user_ids: readonly number[]
}

export const userGroups: ClientPart<UserGroupFields> = {
  apply: {
    'user_group add_members': (state, { group_id, user_ids }: MemberEvent) => {
      const group = state.realm_user_groups.find((one) => one.id === group_id)
      if (group) group.members = [...new Set([...group.members, ...user_ids])]
    },
    'user_group remove_members': (state, { group_id, user_ids }: MemberEvent) => {
      const group = state.realm_user_groups.find((one) => one.id === group_id)
      if (group) group.members = group.members.filter((id) => !user_ids.includes(id))
    },
  },
  normalize: (state) => ({
    realm_user_groups: byKey(state.realm_user_groups, (group) => group.id).map((group) => ({
      ...group,
      members: group.members.toSorted(ascending),
    })),
  }),
}
