import { longText, whole } from '../../db/archive/columns.ts'
import type { UserId } from '../../domain/ids.ts'
import { emailKey, nameKey } from '../../domain/text/text-keys.ts'
import { SHOWN_TO_ALL, standInEmail } from '../../domain/users/email-visibility.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { avatarSource } from '../../domain/users/user.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { newApiKey } from '../../secrets/secrets.ts'
import { PERSON } from '../people.ts'
import { ArchiveError } from './archive-error.ts'
import { type ImportContext, readAt } from './import-context.ts'
import type { Line } from './unpack.ts'

/** Returns what is wrong with settings, or undefined. */
export type CheckSettings = (settings: unknown) => string | undefined

export interface NewCredentials {
  readonly secrets: Secrets
  /** Password of the first owner in the archive. */
  readonly passwordHash: string
}

/** The one owner who gets a password. */
export interface FirstOwner {
  readonly id: number
  readonly email: string
  readonly fullName: string
  readonly apiKey: string
}

/** Imports people. Only one owner can log in; the others need a new password. */
export class ImportedPeople {
  /** Undefined until an owner has been read. */
  owner: FirstOwner | undefined
  count = 0
  /** Settings for accounts that have none in the archive. */
  newAccountSettings = '{}'
  readonly #context: ImportContext
  readonly #credentials: NewCredentials
  readonly #host: string

  /** @param host the organization's, for stand-in addresses */
  constructor(context: ImportContext, credentials: NewCredentials, host: string) {
    this.#context = context
    this.#credentials = credentials
    this.#host = host
  }

  async take(line: Line): Promise<void> {
    const { place } = line
    const {
      user_id: id = null,
      delivery_email: address,
      email_address_visibility: visibility = null,
      ...row
    } = this.#context.row(line, PERSON)
    this.#context.add('user', Number(id), place)
    const standIn = standInEmail(Number(id) as UserId, this.#host)
    const email = typeof address === 'string' ? address : standIn
    const isBot = row.bot_type !== null
    if (row.is_system_bot === 1 && !isBot) throw new ArchiveError(`${place}: only bots belong to the server`)
    const apiKey = newApiKey()
    const isFirstOwner = !this.owner && row.role === ROLE.owner && row.is_active === 1 && !isBot
    if (isFirstOwner) this.owner = { id: Number(id), email, fullName: String(row.full_name), apiKey }
    const { apiKeyHash, apiKeyEncrypted } = this.#credentials.secrets.storedApiKey(apiKey)
    this.count += 1
    await this.#context.database.add(
      'user',
      {
        ...row,
        id,
        email,
        email_key: emailKey(email),
        email_visibility: visibility,
        stand_in_email: isBot || visibility === SHOWN_TO_ALL ? null : standIn,
        full_name_key: nameKey(String(row.full_name)),
        is_bot: isBot ? 1 : 0,
        is_imported_stub: isBot ? 0 : 1,
        avatar_source: avatarSource({ avatarKey: row.avatar_key === null ? null : String(row.avatar_key) }),
        password_hash: isFirstOwner ? this.#credentials.passwordHash : null,
        api_key_hash: row.is_system_bot === 1 ? `none: ${id}` : apiKeyHash,
        api_key_encrypted: row.is_system_bot === 1 ? '' : apiKeyEncrypted,
        read_through: this.#context.lastMessageId,
        settings: this.newAccountSettings,
      },
      place,
    )
  }

  async takeSettings({ value, place }: Line, check: CheckSettings): Promise<void> {
    const { settings } = value
    const problem = check(settings)
    if (problem !== undefined) throw new ArchiveError(`${place}: settings ${problem}`)
    const context = this.#context
    const { user_id, read_through } = context.row(
      { value: { user_id: value.user_id, read_through: value.read_through }, place },
      { user_id: PERSON.bot_owner_id, read_through: whole(0, context.lastMessageId) },
    )
    const stored = readAt(`${place}: settings`, () => longText.toStored(JSON.stringify(settings)))
    await context.database.setSettings(Number(user_id), String(stored), Number(read_through))
  }
}
