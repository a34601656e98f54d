import type { Readers, Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { checkEmailDomain, emailDomainKey, isOfDomains, MAX_EMAIL_DOMAINS } from '../../domain/users/email-domains.ts'
import type { Schemas } from '../../generated/operations.ts'
import { storeOrganizationChanges } from './change-organization.ts'

type EmailDomain = Schemas['EmailDomain']

/**
 * Allows addresses of a domain, and announces it.
 *
 * @returns its ID, and its name as it is stored
 * @throws {BadRequestError} for an invalid domain, a duplicate, or too many domains
 */
export async function addEmailDomain(tx: Tx, raw: string, allow_subdomains: boolean): Promise<[number, string]> {
  const domain = checkEmailDomain(raw)
  const known = await tx.emailDomains.all()
  if (known.some((one) => one.domain === domain)) {
    throw new BadRequestError(`The domain ${domain} is already a part of your organization.`)
  }
  if (known.length >= MAX_EMAIL_DOMAINS) {
    throw new BadRequestError(`An organization has at most ${MAX_EMAIL_DOMAINS} domains.`)
  }
  const realm_domain = { domain, allow_subdomains }
  const id = await tx.emailDomains.insert(realm_domain)
  tx.events.append({ type: 'realm_domains', op: 'add', realm_domain }, { to: 'everyone' })
  return [id, domain]
}

/**
 * Sets whether subdomains count. Does nothing if the value is unchanged. @throws {BadRequestError} for an unknown
 * domain
 */
export async function changeEmailDomain(tx: Tx, name: string, allow_subdomains: boolean): Promise<void> {
  const known = await knownDomain(tx, name)
  if (known.allow_subdomains === allow_subdomains) return
  const realm_domain = { ...known, allow_subdomains }
  await tx.emailDomains.update(realm_domain)
  tx.events.append({ type: 'realm_domains', op: 'change', realm_domain }, { to: 'everyone' })
}

/** @throws {BadRequestError} for an unknown domain */
export async function removeEmailDomain(tx: Tx, name: string): Promise<void> {
  const { domain } = await knownDomain(tx, name)
  await tx.emailDomains.delete(domain)
  tx.events.append({ type: 'realm_domains', op: 'remove', domain }, { to: 'everyone' })
  const isRestricted = tx.organization.settings.emails_restricted_to_domains
  if (isRestricted && (await tx.emailDomains.all()).length === 0) {
    await storeOrganizationChanges(tx, { emails_restricted_to_domains: false })
  }
}

async function knownDomain(read: Readers, name: string): Promise<EmailDomain> {
  const known = await read.emailDomains.find(emailDomainKey(name))
  if (!known) throw new BadRequestError(`No entry found for domain ${name}.`)
  return known
}

/** Returns the addresses that the organization does not accept. */
export async function strangeEmails(read: Readers, emails: readonly string[]): Promise<string[]> {
  if (!read.organization.settings.emails_restricted_to_domains) return []
  const domains = await read.emailDomains.all()
  return emails.filter((email) => hasPlus(email) || !isOfDomains(email, domains))
}

/** With a plus sign, one person could have many addresses of a domain. */
function hasPlus(email: string): boolean {
  return email.split('@')[0]?.includes('+') ?? false
}

/**
 * Checks a new address.
 *
 * @throws {BadRequestError} if the organization accepts only its domains, and this is another one
 */
export async function refuseStrangeEmail(read: Readers, email: string): Promise<void> {
  if ((await strangeEmails(read, [email])).length === 0) return
  if (hasPlus(email)) {
    throw new BadRequestError('Email addresses containing + are not allowed in this organization.')
  }
  throw new BadRequestError(`Email '${email}' is not allowed: its domain is not one of this organization's.`)
}
