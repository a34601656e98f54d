import { addEmailDomain as add } from '../../actions/organization/email-domains.ts'
import type { Handler } from '../handler.ts'

/** POST /realm/domains. */
export const addEmailDomain: Handler<'add-email-domain'> = async ({ input, write }) => ({
  new_domain: await write((tx) => add(tx, input.domain, input.allow_subdomains)),
})
