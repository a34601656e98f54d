import type { UserId } from '../../domain/ids.ts'
import { emailKey } from '../../domain/text/text-keys.ts'
import type { User } from '../../domain/users/user.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'
import { fromRow, type UserRow } from './user-rows.ts'

/** A key in its stored form. */
export interface StoredApiKey {
  readonly apiKeyHash: string
  readonly apiKeyEncrypted: string
}

/** Data that only authentication reads. It is never part of `User`, so it cannot get into an answer by accident. */
export interface Credentials extends StoredApiKey {
  readonly user: User
  readonly passwordHash: string | null
}

interface CredentialsRow extends UserRow {
  readonly password_hash: string | null
  readonly api_key_hash: string
  readonly api_key_encrypted: string
}

function withCredentials(row: CredentialsRow): Credentials {
  return {
    user: fromRow(row),
    passwordHash: row.password_hash,
    apiKeyHash: row.api_key_hash,
    apiKeyEncrypted: row.api_key_encrypted,
  }
}

export class CredentialsReader extends Repository {
  /** @param apiKeyHash keyed hash from secrets/secrets.ts */
  async byApiKeyHash(apiKeyHash: string): Promise<Credentials | undefined> {
    return this.#where('api_key_hash', apiKeyHash)
  }

  async byEmail(email: string): Promise<Credentials | undefined> {
    return this.#where('email_key', emailKey(email))
  }

  /** By the ID of the account. Queries as for UserReader.byIds. */
  async encryptedKeys(ids: readonly UserId[]): Promise<Map<UserId, string>> {
    const rows = await rowsFor<{ id: UserId; api_key_encrypted: string }>(
      this.session,
      ids,
      (list) => `select id, api_key_encrypted from user where id in ${list}`,
    )
    return new Map(rows.map((row) => [row.id, row.api_key_encrypted]))
  }

  async #where(column: 'api_key_hash' | 'email_key', value: string): Promise<Credentials | undefined> {
    const row = await this.session.get<CredentialsRow>(`select * from user where ${column} = ?`, [value])
    return row && withCredentials(row)
  }
}

export class CredentialsWriter extends CredentialsReader {
  /** Replaces the key of an account. @returns its number, counted from 1 */
  async replaceKey({ id, keyVersion }: User, { apiKeyHash, apiKeyEncrypted }: StoredApiKey): Promise<number> {
    const version = keyVersion + 1
    await this.session.run('update user set api_key_hash = ?, api_key_encrypted = ?, key_version = ? where id = ?', [
      apiKeyHash,
      apiKeyEncrypted,
      version,
      id,
    ])
    return version
  }
}
