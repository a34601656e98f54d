import type { UserGroupLogEvent } from '../events/log-event.ts'

/** Returns an event about a custom group for the log. @param isDeactivated whether the group is deactivated */
export function groupEvent(isDeactivated: boolean, event: UserGroupLogEvent): UserGroupLogEvent {
  return isDeactivated ? { ...event, isOfDeactivated: true } : event
}
