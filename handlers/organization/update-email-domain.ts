import { changeEmailDomain } from '../../actions/organization/email-domains.ts'
import type { Handler } from '../handler.ts'

/** PATCH /realm/domains/{domain}. */
export const updateEmailDomain: Handler<'update-email-domain'> = async ({ input, write }) => {
  await write((tx) => changeEmailDomain(tx, input.domain, input.allow_subdomains))
  return {}
}
