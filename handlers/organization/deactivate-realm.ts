import { deactivateOrganization } from '../../actions/organization/deactivate-organization.ts'
import type { Handler } from '../handler.ts'

/**
 * POST /realm/deactivate. If several arrive at the same time, the first one succeeds, and the others are refused like
 * all requests.
 */
export const deactivateRealm: Handler<'deactivate-realm'> = async ({ write }) => {
  await write((tx) => deactivateOrganization(tx))
  return {}
}
