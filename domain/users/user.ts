import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { UserId } from '../ids.ts'
import { profileOf } from '../profiles/profile-fields.ts'
import { type EmailViewer, type EmailVisibility, seesEmail } from './email-visibility.ts'
import { hasRole, isGuest, type Role } from './roles.ts'

/** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
export type BotType = 1 | 2 | 3 | 4

export interface User {
  readonly id: UserId
  /** The real address; others see `apiEmail`. */
  readonly email: string
  /** Who sees the real address. */
  readonly emailVisibility: EmailVisibility
  /** The address that the API uses instead; null if everybody sees the real one. */
  readonly standInEmail: string | null
  readonly fullName: string
  readonly role: Role
  readonly isActive: boolean
  readonly isBot: boolean
  /** Null for people. */
  readonly botType: BotType | null
  readonly botOwnerId: UserId | null
  readonly canCreateUsers: boolean
  /** Whether the user, if an owner, may change addresses of others. */
  readonly canChangeUserEmails: boolean
  /** IANA name, or empty if never set. */
  readonly timezone: string
  /** Key of the uploaded picture; null for none. */
  readonly avatarKey: string | null
  /** Changes with each picture. */
  readonly avatarVersion: number
  /** UNIX seconds. */
  readonly dateJoined: number
  /** Whether the account was imported and has never been used since. */
  readonly isImportedStub: boolean
  /** Number of the valid API key, counted from 1. */
  readonly keyVersion: number
  /** Values of custom profile fields as JSON; null without any. See `profileOf`. */
  readonly profileJson: string | null
}

/** The parts of a sender that a message needs. */
export type Sender = Pick<User, 'id' | 'email' | 'standInEmail' | 'fullName' | 'avatarKey' | 'avatarVersion'>

/** Returns the person behind an account: the owner of a bot, or the user itself. */
export function personOf({ id, botOwnerId }: Pick<User, 'id' | 'botOwnerId'>): UserId {
  return botOwnerId ?? id
}

/** Returns the address of `user` that all others see (MSG-FIELD-17). */
export function apiEmail(user: Pick<User, 'email' | 'standInEmail'>): string {
  return user.standInEmail ?? user.email
}

/** Whether a client may compute the address of the picture itself, from the e-mail address (MSG-FIELD-21). */
export function isAvatarComputable(user: Pick<User, 'standInEmail' | 'avatarKey'>): boolean {
  return user.standInEmail === null && user.avatarKey === null
}

/**
 * Cached by address: a page of messages shows the same few people again and again, and a digest takes a microsecond.
 */
const digests = new LRUCache<string, string>({ max: 1000 })

function gravatarDigest(email: string): string {
  let digest = digests.get(email)
  if (digest === undefined) {
    digest = hash('md5', email.trim().toLowerCase())
    digests.set(email, digest)
  }
  return digest
}

type Pictured = Pick<User, 'email' | 'standInEmail' | 'avatarKey' | 'avatarVersion'>

/**
 * URL of the picture. Without an uploaded one it is Gravatar's for the e-mail address, which clients can compute
 * themselves (MSG-FIELD-22). For a hidden address the stand-in is used, because a digest would confirm a guessed
 * address.
 */
export function avatarUrl(user: Pictured): string {
  const { avatarKey: key, avatarVersion: version } = user
  if (key !== null) return `/user_avatars/${avatarFileNames(key).small}?version=${version}`
  return `https://secure.gravatar.com/avatar/${gravatarDigest(apiEmail(user))}?d=identicon&version=${version}`
}

/** The same picture, larger. */
export function mediumAvatarUrl(user: Pictured): string {
  const { avatarKey: key, avatarVersion: version } = user
  if (key !== null) return `/user_avatars/${avatarFileNames(key).medium}?version=${version}`
  return `${avatarUrl(user)}&s=500`
}

/** G Gravatar, U uploaded (EV-REALMUSER-8). */
export function avatarSource({ avatarKey }: Pick<User, 'avatarKey'>): 'G' | 'U' {
  return avatarKey === null ? 'G' : 'U'
}

/** Clients know how to derive one name from the other. */
export function avatarFileNames(key: string): { readonly small: string; readonly medium: string } {
  return { small: `${key}.png`, medium: `${key}-medium.png` }
}

/** Path of the picture of a file name. */
export function avatarPath(fileName: string): string {
  return `avatar/${fileName}`
}

export interface WireUserOptions {
  /** The viewer for whom it is made. */
  readonly viewer: EmailViewer
  /** Whether to send null instead of an address that the client can compute. */
  readonly clientGravatar: boolean
  /** Whether to include `profile_data`; true if absent. */
  readonly includeProfileFields?: boolean
}

/** @param seconds UNIX time */
export function wireTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00')
}

/** A user as in GET /users, POST /register and the realm_user add event. */
export function toWireUser(user: User, { viewer, clientGravatar, includeProfileFields = true }: WireUserOptions) {
  return {
    user_id: user.id,
    email: apiEmail(user),
    delivery_email: seesEmail(viewer, user) ? user.email : null,
    full_name: user.fullName,
    role: user.role,
    is_owner: hasRole(user.role, 'owner'),
    is_admin: hasRole(user.role, 'administrator'),
    is_guest: isGuest(user.role),
    is_bot: user.isBot,
    is_active: user.isActive,
    ...(user.isBot && { bot_type: user.botType ?? 1, bot_owner_id: user.botOwnerId }),
    timezone: user.timezone,
    date_joined: wireTime(user.dateJoined),
    is_imported_stub: user.isImportedStub,
    avatar_version: user.avatarVersion,
    avatar_url: clientGravatar && isAvatarComputable(user) ? null : avatarUrl(user),
    ...(includeProfileFields && { profile_data: profileOf(user) }),
  }
}
