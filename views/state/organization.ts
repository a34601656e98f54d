import { realmState } from '../realm-state.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `realm`. */
export const part: StatePart = async ({ organization }, _actor, { isWanted, site, uploadLimits }) =>
  isWanted('realm') ? realmState(organization, site, uploadLimits) : {}
