import { BadRequestError } from '../errors.ts'

/**
 * Maximum UTF-8 bytes of an address: the length that fits into the path of an SMTP envelope (RFC 5321, 4.5.3.1.3),
 * without its brackets.
 */
export const MAX_EMAIL_LENGTH = 254

const LOCAL_PART = /^[^\s\p{C}"(),:;<>@[\\\]]+$/u
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/**
 * Returns the address without surrounding white space, if a mail server could have it. Checks only syntax: does not
 * look up the domain, and accepts `user@localhost`. Refuses quoted local parts, address literals, and text that is not
 * in NFC, because its key would be that of another address (the Kelvin sign composes to K).
 */
export function checkEmail(raw: string): string {
  const email = raw.trim()
  if (!isEmail(email)) throw new BadRequestError('Enter a valid e-mail address.')
  return email
}

/** Whether `email`, without surrounding white space, is an address that a mail server could have. */
export function isEmail(email: string): boolean {
  if (Buffer.byteLength(email) > MAX_EMAIL_LENGTH || email !== email.normalize('NFC')) return false
  const [local, domain, ...more] = email.split('@')
  if (local === undefined || domain === undefined || more.length > 0) return false
  if (Buffer.byteLength(local) > 64 || !LOCAL_PART.test(local)) return false
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  return domain.split('.').every(isDomainLabel)
}

/** Whether it is a valid part of a domain. */
export function isDomainLabel(label: string): boolean {
  return label.length <= 63 && DOMAIN_LABEL.test(label)
}
