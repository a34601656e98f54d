import type { Schemas } from '../../generated/operations.ts'
import { BadRequestError } from '../errors.ts'
import { emailKey } from '../text/text-keys.ts'
import { isDomainLabel } from './emails.ts'

/** The initial state of every client lists them. */
export const MAX_EMAIL_DOMAINS = 1000
const MAX_DOMAIN_LENGTH = 191

/** Returns the domain in the form in which it is stored and compared. */
export function emailDomainKey(raw: string): string {
  return emailKey(raw)
}

/** Returns the stored form of a domain that addresses can have. @throws {BadRequestError} */
export function checkEmailDomain(raw: string): string {
  const domain = emailDomainKey(raw)
  if (domain === '') throw new BadRequestError("Invalid domain: Domain can't be empty.")
  const labels = domain.split('.')
  if (labels.length === 1) throw new BadRequestError('Invalid domain: Domain must have at least one dot (.)')
  const isDomain = domain.length <= MAX_DOMAIN_LENGTH && labels.every(isDomainLabel)
  if (!isDomain) throw new BadRequestError(`Invalid domain: '${raw.trim()}' is no domain.`)
  return domain
}

/** Whether the address is of one of the domains. */
export function isOfDomains(email: string, domains: readonly Schemas['EmailDomain'][]): boolean {
  const own = emailKey(email).split('@').at(-1) ?? ''
  return domains.some(({ domain, allow_subdomains }) => {
    return own === domain || (allow_subdomains && own.endsWith(`.${domain}`))
  })
}
