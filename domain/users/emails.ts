import { accept, type Checked, refuse } from '../checked.ts'

/** UTF-8 bytes of an address: what fits into the path of an SMTP envelope (RFC 5321, 4.5.3.1.3), less its brackets. */
export const MAX_EMAIL_LENGTH = 254

const LOCAL_PART = /^[^\s\p{C}"(),:;<>@[\\\]]+$/u
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/**
 * The address without surrounding white space, when a mail server could have it. Syntax only: no look-up of the domain,
 * and `user@localhost` passes. Quoted local parts and address literals are refused. So is text that is not in NFC: its
 * key would be another address's key (the Kelvin sign composes to K).
 */
export function checkEmail(raw: string): Checked<string> {
  const email = raw.trim()
  return isEmail(email) ? accept(email) : refuse('Enter a valid e-mail address.')
}

function isEmail(email: string): boolean {
  if (Buffer.byteLength(email) > MAX_EMAIL_LENGTH || email !== email.normalize('NFC')) return false
  const [local, domain, ...more] = email.split('@')
  if (local === undefined || domain === undefined || more.length > 0) return false
  if (Buffer.byteLength(local) > 64 || !LOCAL_PART.test(local)) return false
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  return domain.split('.').every(isDomainLabel)
}

/** Whether it can stand between the dots of a domain. */
export function isDomainLabel(label: string): boolean {
  return label.length <= 63 && DOMAIN_LABEL.test(label)
}
