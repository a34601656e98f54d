import type { UserId } from '../ids.ts'
import { emailKey } from '../text/text-keys.ts'
import { hasRole, ROLE, type Role, type RoleName } from './roles.ts'
import type { UserSettings } from './user-settings.ts'

/** Who sees a real address, besides its owner: 1 everybody, 2 members, 3 administrators, 4 nobody, 5 moderators. */
export type EmailVisibility = UserSettings['email_address_visibility']

/** Everybody sees the address, so the API uses it for the user. */
export const SHOWN_TO_ALL: EmailVisibility = 1

/** Least role that sees the address; null if none does. */
const MIN_ROLE: Readonly<Record<EmailVisibility, RoleName | null>> = {
  1: 'guest',
  2: 'member',
  3: 'administrator',
  4: null,
  5: 'moderator',
}

/** Somebody who may or may not see an address. */
export interface EmailViewer {
  readonly id: UserId
  readonly role: Role
}

/** Whether this role sees the addresses of others with this `visibility`. */
export function isShownTo(role: Role, visibility: EmailVisibility): boolean {
  const least = MIN_ROLE[visibility]
  return least !== null && hasRole(role, least)
}

/** Whether `viewer` may know the real address of `user`. */
export function seesEmail(
  viewer: EmailViewer,
  user: { readonly id: UserId; readonly emailVisibility: EmailVisibility },
): boolean {
  return viewer.id === user.id || isShownTo(viewer.role, user.emailVisibility)
}

/** Returns the roles that see another user's address with this visibility. */
export function rolesShown(visibility: EmailVisibility): Role[] {
  return Object.values(ROLE).filter((role) => isShownTo(role, visibility))
}

/** Returns the address that the API uses for a user with a hidden address (USER-EMAIL-2). It receives no mail. */
export function standInEmail(id: UserId, host: string): string {
  return `user${id}@${host}`
}

const STAND_IN = /^user([1-9]\d{0,15})@(.+)$/i

/** Returns the user ID and host of a stand-in address; undefined for any other address. */
export function parseStandIn(email: string): { readonly id: number; readonly host: string } | undefined {
  const [, id, host] = STAND_IN.exec(email.trim()) ?? []
  return id === undefined || host === undefined ? undefined : { id: Number(id), host }
}

/**
 * Returns the address left on an account whose profile was deleted. @param nth higher if others have such an address
 */
export function deletedEmail(id: UserId, nth: number, host: string): string {
  return `deleteduser${id}${nth === 1 ? '' : `-${nth}`}@${host}`
}

/** Whether an address is, or may become, a stand-in for a hidden or deleted address. @param host of the organization */
export function isReservedEmail(email: string, host: string): boolean {
  const [, ofHost] = /^(?:deleted)?user[\d-]+@(.+)$/i.exec(email) ?? []
  return ofHost !== undefined && emailKey(ofHost) === emailKey(host)
}
