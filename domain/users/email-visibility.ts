import type { UserId } from '../ids.ts'
import { emailKey } from '../text/text-keys.ts'
import { hasRole, ROLE, type Role, type RoleName } from './roles.ts'
import type { UserSettings } from './user-settings.ts'

/** Who sees a real address: 1 everybody, 2 members, 3 administrators, 4 nobody, 5 moderators; and its owner always. */
export type EmailVisibility = UserSettings['email_address_visibility']

/** Everybody sees the address, so the API knows the user by it. */
export const SHOWN_TO_ALL: EmailVisibility = 1

/** The least role that sees it; null: none does. */
const LEAST_ROLE: Readonly<Record<EmailVisibility, RoleName | null>> = {
  1: 'guest',
  2: 'member',
  3: 'administrator',
  4: null,
  5: 'moderator',
}

/** Whom an address is shown to, or not. */
export interface EmailViewer {
  readonly id: UserId
  readonly role: Role
}

/** Whether this role sees the addresses of others who chose `visibility`. */
export function isShownTo(role: Role, visibility: EmailVisibility): boolean {
  const least = LEAST_ROLE[visibility]
  return least !== null && hasRole(role, least)
}

/** Whether `viewer` may know the real address of `user`. */
export function seesEmail(
  viewer: EmailViewer,
  user: { readonly id: UserId; readonly emailVisibility: EmailVisibility },
): boolean {
  return viewer.id === user.id || isShownTo(viewer.role, user.emailVisibility)
}

/** Roles that see such an address of somebody else. */
export function rolesShown(visibility: EmailVisibility): Role[] {
  return Object.values(ROLE).filter((role) => isShownTo(role, visibility))
}

/** What the API knows a user by whose address is hidden (USER-EMAIL-2). Nobody gets mail there. */
export function standInEmail(id: UserId, host: string): string {
  return `user${id}@${host}`
}

const STAND_IN = /^user([1-9]\d{0,15})@(.+)$/i

/** Whose stand-in address this would be, and on which host; undefined for any other address. */
export function parseStandIn(email: string): { readonly id: number; readonly host: string } | undefined {
  const [, id, host] = STAND_IN.exec(email.trim()) ?? []
  return id === undefined || host === undefined ? undefined : { id: Number(id), host }
}

/** What is left of the address of somebody whose profile is deleted. @param nth higher where others have those before */
export function deletedEmail(id: UserId, nth: number, host: string): string {
  return `deleteduser${id}${nth === 1 ? '' : `-${nth}`}@${host}`
}

/** Whether an address stands for somebody whose own is hidden or deleted, or may do so one day. @param host of the organization */
export function isReservedEmail(email: string, host: string): boolean {
  const [, ofHost] = /^(?:deleted)?user[\d-]+@(.+)$/i.exec(email) ?? []
  return ofHost !== undefined && emailKey(ofHost) === emailKey(host)
}
