import type { UserId } from '../../domain/ids.ts'
import type { EmailVisibility } from '../../domain/users/email-visibility.ts'
import type { Role } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'

export interface UserRow {
  readonly id: number
  readonly email: string
  readonly email_visibility: number
  readonly stand_in_email: string | null
  readonly full_name: string
  readonly role: number
  readonly is_active: number
  readonly is_bot: number
  readonly bot_type: number | null
  readonly bot_owner_id: number | null
  readonly can_create_users: number
  readonly can_change_user_emails: number
  readonly timezone: string
  readonly avatar_key: string | null
  readonly avatar_version: number
  readonly date_joined: number
  readonly is_imported_stub: number
  readonly key_version: number
  readonly profile_data: string | null
}

export const COLUMNS = `id, email, email_visibility, stand_in_email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, can_create_users, can_change_user_emails, timezone,
  avatar_key, avatar_version, date_joined, is_imported_stub, key_version, profile_data`

export function fromRow(row: UserRow): User {
  return {
    id: row.id as UserId,
    email: row.email,
    emailVisibility: row.email_visibility as EmailVisibility,
    standInEmail: row.stand_in_email,
    fullName: row.full_name,
    role: row.role as Role,
    isActive: row.is_active === 1,
    isBot: row.is_bot === 1,
    botType: row.bot_type as User['botType'],
    botOwnerId: row.bot_owner_id as UserId | null,
    canCreateUsers: row.can_create_users === 1,
    canChangeUserEmails: row.can_change_user_emails === 1,
    timezone: row.timezone,
    avatarKey: row.avatar_key,
    avatarVersion: row.avatar_version,
    dateJoined: row.date_joined,
    isImportedStub: row.is_imported_stub === 1,
    keyVersion: row.key_version,
    profileJson: row.profile_data,
  }
}
