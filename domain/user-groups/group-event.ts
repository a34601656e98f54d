import type { UserGroupLogEvent } from '../events/log-event.ts'

/** An event about a group that people made, as the log has it. @param isDeactivated whether the group is out of use */
export function groupEvent(isDeactivated: boolean, event: UserGroupLogEvent): UserGroupLogEvent {
  return isDeactivated ? { ...event, isOfDeactivated: true } : event
}
