import type { UserGroupLogEvent } from '../domain/events/log-event.ts'
import { type Adapter, asItIs } from './adapted.ts'

/**
 * To clients that do not know deactivated groups (level 294), a deactivated group disappears, is not mentioned, and
 * appears again as a new one.
 */
export const adaptUserGroup: Adapter<UserGroupLogEvent> = (event, { descriptor }) => {
  const { isOfDeactivated = false, reactivated: group, ...wire } = event
  if (descriptor.capabilities.include_deactivated_groups) return { variant: '', make: () => wire }
  if (group) return { variant: 'in use', make: () => ({ type: 'user_group', op: 'add', group }) }
  if (isOfDeactivated) return undefined
  if (wire.op !== 'update' || wire.data.deactivated === undefined) return asItIs(wire)
  const { group_id } = wire
  return { variant: 'vanished', make: () => ({ type: 'user_group', op: 'remove', group_id }) }
}
