import type { Check } from '../check.ts'
import type { Contract } from '../contract.ts'
import { authenticationChecks } from './authentication.ts'
import { conventionChecks } from './conventions.ts'
import { envelopeChecks } from './envelope.ts'
import { eventChecks } from './events.ts'
import { messageChecks } from './messages.ts'
import { ownEventChecks } from './own-events.ts'
import { reactionChecks } from './reactions.ts'
import { refusalChecks } from './refusals.ts'
import { userEventChecks } from './user-events.ts'

/** Every check there is, in the order of reports. */
export function allChecks(contract: Contract): Check[] {
  return [
    ...envelopeChecks(contract),
    ...conventionChecks,
    ...authenticationChecks,
    ...messageChecks,
    ...reactionChecks,
    ...eventChecks,
    ...ownEventChecks,
    ...userEventChecks,
    ...refusalChecks,
  ]
}
