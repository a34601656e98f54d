import type { Handler } from '../handler.ts'

/** GET /realm/domains. */
export const getEmailDomains: Handler<'get-email-domains'> = async ({ db }) => ({
  domains: await db.read.emailDomains.all(),
})
