import type { UserGroupLogEvent } from '../domain/events/log-event.ts'
import { type Adapter, asItIs } from './adapted.ts'

/**
 * Whoever does not know groups that are out of use (level 294) sees one vanish, hears nothing of it, and sees it come again as
 * a new one.
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
