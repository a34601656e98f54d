import fc from 'fast-check'
import { described } from '../deployment/described.ts'
import { ourKind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'
import { groupsIn } from './user-groups.ts'

export const requests: Requests = {
  // The organization's settings stay the same.
  'update-realm': async ({ user }) => {
    const { body } = await described(user, ['realm'])
    return { allow_message_editing: body.realm_allow_message_editing }
  },
}

export const actions = [
  ourKind(
    'change organization',
    ({ manager, who }) => ({
      by: manager,
      // Usually on, because nobody can edit while it is off, and edits should occur too.
      allow_message_editing: fc.constantFrom(true, true, true, true, false),
      // A system group, people, and a group that the world created, if any.
      can_create_groups: fc.record({
        group: fc.constantFrom(2, 2, 4, 6),
        people: fc.uniqueArray(who, { maxLength: 2 }),
        made: fc.nat({ max: 3 }),
      }),
      // Settings that clients get in every form.
      told: fc.record({
        enable_guest_user_indicator: fc.boolean(),
        org_type: fc.constantFrom(0, 10),
        description: fc.constantFrom('', 'For **all** of us.'),
      }),
    }),
    (world, { by, allow_message_editing, can_create_groups: { group, people, made }, told }) => {
      const own = groupsIn(world)[made]
      const direct_subgroups = own === undefined ? [group] : [group, own.id]
      const can_create_groups = { new: { direct_members: world.named(people), direct_subgroups } }
      return world.manager(by)?.call('update-realm', { allow_message_editing, ...told, can_create_groups })
    },
    { weight: 3 },
  ),
]
