import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { UserId } from '../ids.ts'
import { hasRole, isGuest, type Role } from './roles.ts'

/** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
export type BotType = 1 | 2 | 3 | 4

export interface User {
  readonly id: UserId
  /** The real address. Others see `apiEmail`. */
  readonly email: string
  readonly fullName: string
  readonly role: Role
  readonly isActive: boolean
  readonly isBot: boolean
  /** Null for people. */
  readonly botType: BotType | null
  readonly botOwnerId: UserId | null
  readonly canCreateUsers: boolean
  /** Of others, if they are an owner. */
  readonly canChangeUserEmails: boolean
  /** IANA name, or empty when never set. */
  readonly timezone: string
  readonly avatarVersion: number
  /** UNIX seconds. */
  readonly dateJoined: number
  /** Which of its API keys counts, from 1 on. */
  readonly keyVersion: number
}

/** The least that a message needs to know of its sender. */
export type Sender = Pick<User, 'id' | 'email' | 'fullName' | 'avatarVersion'>

/**
 * The address of `user` that others see (MSG-FIELD-17). Every account shows its real one until addresses can be hidden.
 */
export function apiEmail(user: Pick<User, 'email'>): string {
  return user.email
}

/** By address as it is: a page of messages shows the same few people again and again, and a digest takes a microsecond. */
const digests = new LRUCache<string, string>({ max: 1000 })

function gravatarDigest(email: string): string {
  let digest = digests.get(email)
  if (digest === undefined) {
    digest = hash('md5', email.trim().toLowerCase())
    digests.set(email, digest)
  }
  return digest
}

/** Gravatar's address for an e-mail, which clients can compute themselves (MSG-FIELD-22). */
export function avatarUrl(user: Pick<User, 'email' | 'avatarVersion'>): string {
  return `https://secure.gravatar.com/avatar/${gravatarDigest(user.email)}?d=identicon&version=${user.avatarVersion}`
}

/** The same picture, larger. */
export function mediumAvatarUrl(user: Pick<User, 'email' | 'avatarVersion'>): string {
  return `${avatarUrl(user)}&s=500`
}

export interface WireUserOptions {
  /** Null in place of the address where the client can compute it. */
  readonly clientGravatar: boolean
  /** Whether `profile_data` is there; absent means yes. */
  readonly includeProfileFields?: boolean
}

/** A user as GET /users, POST /register and the realm_user add event have it. */
export function toWireUser(user: User, { clientGravatar, includeProfileFields = true }: WireUserOptions) {
  return {
    user_id: user.id,
    email: apiEmail(user),
    delivery_email: user.email,
    full_name: user.fullName,
    role: user.role,
    is_owner: hasRole(user.role, 'owner'),
    is_admin: hasRole(user.role, 'administrator'),
    is_guest: isGuest(user.role),
    is_bot: user.isBot,
    is_active: user.isActive,
    ...(user.isBot && { bot_type: user.botType ?? 1, bot_owner_id: user.botOwnerId }),
    timezone: user.timezone,
    date_joined: new Date(user.dateJoined * 1000).toISOString().replace('.000Z', '+00:00'),
    is_imported_stub: false,
    avatar_version: user.avatarVersion,
    avatar_url: clientGravatar ? null : avatarUrl(user),
    ...(includeProfileFields && { profile_data: {} }),
  }
}
