import {
  type Column,
  idOf,
  longText,
  matching,
  oneOf,
  orNull,
  ownId,
  requireRecord,
  text,
  time,
  UnfitValueError,
  whole,
  yesOrNo,
} from '../db/archive/columns.ts'
import type { Readers } from '../db/repositories.ts'
import { chunksOf } from '../domain/chunks.ts'
import type { UserId } from '../domain/ids.ts'
import { profileOf } from '../domain/profiles/profile-fields.ts'
import type { User } from '../domain/users/user.ts'
import { Pauses } from '../event-loop/pauses.ts'
import type { Scope } from './scope.ts'

/** People whose settings one query reads. */
const PEOPLE_A_STATEMENT = 200

/** Values of profile fields, by field id. */
const profile: Column = {
  toArchive: (stored) => stored,
  toStored(value) {
    const entries = Object.entries(requireRecord(value))
    for (const [id, said] of entries) {
      const { value: of, rendered_value: rendered = '', ...others } = requireRecord(said)
      const isFit = /^[1-9]\d{0,9}$/.test(id) && typeof of === 'string' && typeof rendered === 'string'
      if (!isFit || Object.keys(others).length > 0) throw new UnfitValueError('has a value that is none of a profile')
    }
    return entries.length === 0 ? null : longText.toStored(JSON.stringify(value))
  },
}

/** The columns of an account in an archive; passwords and keys are in no archive. */
export const PERSON = {
  user_id: ownId,
  full_name: text(100),
  delivery_email: orNull(text(254)),
  email_address_visibility: oneOf(1, 2, 3, 4, 5),
  role: oneOf(100, 200, 300, 400, 600),
  is_active: yesOrNo,
  is_system_bot: yesOrNo,
  bot_type: orNull(oneOf(1, 2, 3, 4)),
  bot_owner_id: orNull(idOf('user')),
  can_create_users: yesOrNo,
  can_change_user_emails: yesOrNo,
  date_joined: time,
  timezone: text(40),
  avatar_key: orNull(matching(/^[0-9a-f]{32}$/, 32)),
  avatar_version: whole(1, 2_147_483_647),
  profile_data: profile,
} as const satisfies Readonly<Record<string, Column>>

type PersonLine = Readonly<Record<keyof typeof PERSON, unknown>>

/** Yields all people, and the server's own bots, which have sent messages. */
export async function* exportedPeople(read: Readers, scope: Scope): AsyncIterable<PersonLine> {
  for (const user of await read.users.systemBots()) yield person(user, user.email, true)
  for (const user of scope.users) yield person(user, scope.hasAddressOf(user) ? user.email : null, false)
}

function person(user: User, address: string | null, isSystemBot: boolean): PersonLine {
  return {
    user_id: user.id,
    full_name: user.fullName,
    delivery_email: address,
    email_address_visibility: user.emailVisibility,
    role: user.role,
    is_active: user.isActive,
    is_system_bot: isSystemBot,
    bot_type: user.isBot ? (user.botType ?? 1) : null,
    bot_owner_id: user.botOwnerId,
    can_create_users: user.canCreateUsers,
    can_change_user_emails: user.canChangeUserEmails,
    date_joined: user.dateJoined,
    timezone: user.timezone,
    avatar_key: user.avatarKey,
    avatar_version: user.avatarVersion,
    profile_data: profileOf(user),
  }
}

/**
 * Yields the settings of people whose private data is exported, and the id up to which they have read everything except
 * what private/read lists.
 */
export async function* exportedSettings(
  read: Readers,
  scope: Scope,
): AsyncIterable<{ readonly user_id: UserId; readonly settings: object; readonly read_through: number }> {
  const pauses = new Pauses()
  const ids = scope.users.filter((user) => scope.hasPrivateDataOf(user)).map(({ id }) => id)
  for (const chunk of chunksOf(ids, PEOPLE_A_STATEMENT)) {
    const all = await read.users.settings(chunk)
    const readThrough = await read.exportedRows.readThrough(chunk)
    for (const id of chunk) {
      // These two are stored with the account.
      const { timezone: _, email_address_visibility: __, ...settings } = all.get(id) ?? {}
      yield { user_id: id, settings, read_through: Math.min(readThrough.get(id) ?? 0, scope.lastMessageId) }
    }
    await pauses.letOthers()
  }
}
