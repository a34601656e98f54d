import { hasRole } from '../../domain/users/roles.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `realm_bot`: the caller's own bots; administrators get everybody's. */
export const part: StatePart = async ({ bots }, actor, { isWanted }) => ({
  ...(isWanted('realm_bot') && {
    realm_bots: await bots.of(hasRole(actor.role, 'administrator') ? undefined : actor.id),
  }),
})
