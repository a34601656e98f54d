import { removeEmailDomain as remove } from '../../actions/organization/email-domains.ts'
import type { Handler } from '../handler.ts'

/** DELETE /realm/domains/{domain}. */
export const removeEmailDomain: Handler<'remove-email-domain'> = async ({ input, write }) => {
  await write((tx) => remove(tx, input.domain))
  return {}
}
