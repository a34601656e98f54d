import type { AddressesLogEvent, UserAddLogEvent } from '../domain/events/log-event.ts'
import { isShownTo, SHOWN_TO_ALL } from '../domain/users/email-visibility.ts'
import type { Event, EventOf } from '../generated/operations.ts'
import { type Adapted, asItIs, type Recipient } from './adapted.ts'

/** Something about a user, with the address where the recipient may see it (EV-REALMUSER-15). */
export function adaptUser(
  event: EventOf<'realm_user'> | UserAddLogEvent | AddressesLogEvent,
  { descriptor, role }: Recipient,
): Adapted {
  if (event.op === 'addresses') {
    const make = () => event.people.map((person): Event => ({ type: 'realm_user', op: 'update', person }))
    return { variant: '', make }
  }
  // A change of picture is told with its address, whatever the client can compute (EV-REALMUSER-6, EV-REALMUSER-7).
  if (event.op !== 'add') return asItIs(event as Event)
  const { emailVisibility = SHOWN_TO_ALL, ...shared } = event as UserAddLogEvent
  const isShown = isShownTo(role, emailVisibility)
  const isComputed = descriptor.clientGravatar && emailVisibility === SHOWN_TO_ALL
  const make = () => ({
    ...shared,
    person: { ...shared.person, ...(!isShown && { delivery_email: null }), ...(isComputed && { avatar_url: null }) },
  })
  return { variant: `${isShown} ${isComputed}`, make: make as () => Event }
}
