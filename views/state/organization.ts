import { realmState } from '../realm-state.ts'
import type { StatePart } from './state-request.ts'

/** The state is the same for all callers until the organization changes. */
const made = new WeakMap<object, { readonly publicUrl: string; readonly state: ReturnType<typeof realmState> }>()

/** Fetch type `realm`. */
export const part: StatePart = async ({ organization }, _actor, { isWanted, site, uploadLimits }) => {
  if (!isWanted('realm')) return {}
  const { publicUrl } = site
  const known = made.get(organization)
  if (known?.publicUrl === publicUrl) return known.state
  const state = realmState(organization, site, uploadLimits)
  made.set(organization, { publicUrl, state })
  return state
}
