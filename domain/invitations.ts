import type { ChannelId, UserId } from './ids.ts'
import { hasRole, isGuest, ROLE, type Role } from './users/roles.ts'
import type { User } from './users/user.ts'

/** Letters and digits of a link. */
export const INVITATION_KEY_LENGTH = 24

/** What whoever accepts is given. */
export interface InvitationTerms {
  readonly role: Role
  /** Null: without end. */
  readonly minutes: number | null
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly number[]
  /** Whether they follow the default channels of the day on which they accept. */
  readonly includesDefaults: boolean
  readonly notifiesInviter: boolean
  /** Markdown, with which they are greeted. */
  readonly welcomeText: string | null
}

export interface Invitation extends InvitationTerms {
  readonly id: number
  /** Null: many can use it. */
  readonly email: string | null
  readonly keyEncrypted: string
  readonly invitedBy: UserId
  /** UNIX seconds, as all times here. */
  readonly invitedAt: number
  readonly expiresAt: number | null
  readonly isRevoked: boolean
}

/** Null where it never ends. */
export function expiryOf(from: number, minutes: number | null): number | null {
  return minutes === null ? null : from + minutes * 60
}

export function isOpen({ expiresAt, isRevoked }: Pick<Invitation, 'expiresAt' | 'isRevoked'>, now: number): boolean {
  return !isRevoked && (expiresAt === null || expiresAt > now)
}

/**
 * The least role that may give `role`: whoever accepts can do what it can.
 */
export function leastInviterOf(role: Role): 'member' | 'administrator' | 'owner' {
  if (role === ROLE.owner) return 'owner'
  return hasRole(role, 'moderator') ? 'administrator' : 'member'
}

/** Whether an account could give the role of an invitation, whatever the organization says about who invites. */
export function mayGive({ isActive, role: own }: Pick<User, 'isActive' | 'role'>, role: Role): boolean {
  return isActive && !isGuest(own) && hasRole(own, leastInviterOf(role))
}

/** The addresses in a text with commas or line breaks between them, `Name <address>` among them. */
export function parseInvitees(text: string): string[] {
  return text
    .split(/[,\r\n]/)
    .map((part) => (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim())
    .filter((address) => address !== '')
}

/** @param publicUrl without a slash at the end */
export function invitationLink(publicUrl: string, key: string): string {
  return `${publicUrl}/join/${key}`
}
