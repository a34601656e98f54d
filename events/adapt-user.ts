import type {
  AddressesLogEvent,
  UserAddLogEvent,
  UserHiddenLogEvent,
  UserShownLogEvent,
} from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'
import { hostOf } from '../domain/organization/server-settings.ts'
import { isShownTo, SHOWN_TO_ALL } from '../domain/users/email-visibility.ts'
import { UNKNOWN_NAME, unknownUser } from '../domain/users/unknown-user.ts'
import { toWireUser } from '../domain/users/user.ts'
import type { Event, EventOf } from '../generated/operations.ts'
import { type Adapted, asItIs, type Recipient } from './adapted.ts'

type UserEvent = EventOf<'realm_user'> | UserAddLogEvent | AddressesLogEvent | UserShownLogEvent | UserHiddenLogEvent

/** An event about a user, with the address if the recipient may see it (EV-REALMUSER-15). */
export function adaptUser(event: UserEvent, recipient: Recipient): Adapted | undefined {
  const { clientGravatar } = recipient.descriptor
  switch (event.op) {
    case 'addresses':
      return {
        variant: '',
        make: () => event.people.map((person): Event => ({ type: 'realm_user', op: 'update', person })),
      }
    case 'into_sight':
      return {
        variant: `${recipient.role} ${clientGravatar}`,
        make: () => event.people.map((one) => added({ type: 'realm_user', op: 'add', ...one }, recipient)),
      }
    case 'out_of_sight':
      return {
        variant: String(listsUnknown(recipient)),
        make: () => event.userIds.flatMap((id) => removal(id, recipient)),
      }
    case 'add':
      return addition(event, recipient)
    // A changed picture is announced with its address, even if the client could compute it (EV-REALMUSER-6,
    // EV-REALMUSER-7).
    default:
      return asItIs(event as Event)
  }
}

function addition(event: UserAddLogEvent, recipient: Recipient): Adapted | undefined {
  if (event.unseenBy?.includes(recipient.userId)) {
    if (!listsUnknown(recipient)) return undefined
    return { variant: 'unknown', make: () => unknown(event.person.user_id as UserId, recipient) }
  }
  const { emailVisibility = SHOWN_TO_ALL } = event
  const isComputed = recipient.descriptor.clientGravatar && emailVisibility === SHOWN_TO_ALL
  return {
    variant: `${isShownTo(recipient.role, emailVisibility)} ${isComputed}`,
    make: () => added(event, recipient),
  }
}

function added(
  { emailVisibility = SHOWN_TO_ALL, unseenBy: _, ...event }: UserAddLogEvent,
  { descriptor, role }: Recipient,
): Event {
  const isComputed = descriptor.clientGravatar && emailVisibility === SHOWN_TO_ALL
  const person = {
    ...event.person,
    ...(!isShownTo(role, emailVisibility) && { delivery_email: null }),
    ...(isComputed && { avatar_url: null }),
  }
  return { ...event, person } as Event
}

/** Whether the client's list of users has empty entries for users who are not visible. */
function listsUnknown({ descriptor }: Recipient): boolean {
  return descriptor.capabilities.user_list_incomplete !== true
}

function unknown(id: UserId, recipient: Recipient): Event {
  const { userId, role } = recipient
  const user = unknownUser(id, hostOf(recipient))
  const person = toWireUser(user, { viewer: { id: userId, role }, clientGravatar: false })
  return { type: 'realm_user', op: 'add', person } as Event
}

function removal(id: UserId, recipient: Recipient): Event[] {
  const gone: Event = { type: 'realm_user', op: 'remove', person: { user_id: id, full_name: UNKNOWN_NAME } }
  return listsUnknown(recipient) ? [gone, unknown(id, recipient)] : [gone]
}
