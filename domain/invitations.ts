import type { ChannelId, UserId } from './ids.ts'
import { hasRole, isGuest, ROLE, type Role } from './users/roles.ts'
import type { User } from './users/user.ts'

/** Letters and digits of a link. */
export const INVITATION_KEY_LENGTH = 24

/** The role, channels and groups that a user who accepts gets. */
export interface InvitationTerms {
  readonly role: Role
  /** Null: never expires. */
  readonly minutes: number | null
  readonly channelIds: readonly ChannelId[]
  readonly groupIds: readonly number[]
  /** Whether new users get the default channels of the day on which they accept. */
  readonly includesDefaults: boolean
  readonly notifiesInviter: boolean
  /** Markdown of the greeting. */
  readonly welcomeText: string | null
}

export interface Invitation extends InvitationTerms {
  readonly id: number
  /** Null: reusable. */
  readonly email: string | null
  readonly keyEncrypted: string
  readonly invitedBy: UserId
  /** UNIX seconds, like all times here. */
  readonly invitedAt: number
  readonly expiresAt: number | null
  readonly isRevoked: boolean
}

/** Returns null if it never expires. */
export function expiryOf(from: number, minutes: number | null): number | null {
  return minutes === null ? null : from + minutes * 60
}

export function isOpen({ expiresAt, isRevoked }: Pick<Invitation, 'expiresAt' | 'isRevoked'>, now: number): boolean {
  return !isRevoked && (expiresAt === null || expiresAt > now)
}

/**
 * Returns the least role that may give `role`. It depends on `role`, because a new user can do everything that `role`
 * can.
 */
export function leastInviterOf(role: Role): 'member' | 'administrator' | 'owner' {
  if (role === ROLE.owner) return 'owner'
  return hasRole(role, 'moderator') ? 'administrator' : 'member'
}

/**
 * Whether an account could give the role of an invitation, regardless of the organization's settings for who may
 * invite.
 */
export function mayGive({ isActive, role: own }: Pick<User, 'isActive' | 'role'>, role: Role): boolean {
  return isActive && !isGuest(own) && hasRole(own, leastInviterOf(role))
}

/** Returns the addresses in a text, separated by commas or line breaks, also from `Name <address>`. */
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
