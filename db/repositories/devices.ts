import type { UserId } from '../../domain/ids.ts'
import type { PushTokenKind } from '../../domain/push.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

interface DeviceRow {
  readonly id: number
  readonly push_key_id: number | null
  readonly push_key_encrypted: string | null
  readonly push_token_id: string | null
  readonly pending_push_token_id: string | null
  readonly push_token_updated_at: number | null
  readonly push_registration_error_code: string | null
}

/** A device that can get notifications. */
export interface PushTarget {
  readonly deviceId: number
  readonly tokenId: string
  readonly keyId: number
  readonly encryptedKey: string
  /** When its present token was registered, in UNIX seconds. */
  readonly registeredAt: number
}

/** Devices of users, and their registrations for push notifications. */
export class DeviceReader extends Repository {
  /** By id. */
  async of(userId: UserId): Promise<Record<string, Schemas['Device']>> {
    return Object.fromEntries(
      (await this.#rows(userId)).map((row) => [
        row.id,
        {
          push_key_id: row.push_key_id,
          push_token_id: row.push_token_id,
          pending_push_token_id: row.pending_push_token_id,
          push_token_last_updated_timestamp: row.push_token_updated_at,
          push_registration_error_code: row.push_registration_error_code,
        },
      ]),
    )
  }

  /** Returns the registered ones by ID. */
  async targetsOf(userId: UserId): Promise<PushTarget[]> {
    return (await this.#rows(userId)).flatMap((row) => {
      const { id: deviceId, push_token_id: tokenId, push_key_id: keyId, push_key_encrypted: encryptedKey } = row
      return tokenId === null || keyId === null || encryptedKey === null
        ? []
        : [{ deviceId, tokenId, keyId, encryptedKey, registeredAt: row.push_token_updated_at ?? 0 }]
    })
  }

  /** @param tokenHash SHA-256 in hexadecimal */
  async hasToken(userId: UserId, tokenHash: string, kind?: PushTokenKind): Promise<boolean> {
    const rows = await this.session.all<{ kind: PushTokenKind }>(
      'select kind from push_token where user_id = ? and token_hash = ?',
      [userId, tokenHash],
    )
    return rows.some((row) => kind === undefined || row.kind === kind)
  }

  #rows(userId: UserId) {
    return this.session.all<DeviceRow>('select * from device where user_id = ? order by id', [userId])
  }
}

/** The fields that a registration for push notifications changes. */
export interface Registration {
  readonly key?: { readonly id: number; readonly encrypted: string } | undefined
  readonly token?: { readonly id: string; readonly updatedAt: number } | undefined
}

export class DeviceWriter extends DeviceReader {
  /** @returns its ID, which is never used again */
  async insert(userId: UserId): Promise<number> {
    return (await this.session.run('insert into device (user_id) values (?)', [userId])).insertId
  }

  async register(id: number, { key, token }: Registration): Promise<void> {
    await this.session
      .knex('device')
      .where({ id })
      .update({
        ...(key && { push_key_id: key.id, push_key_encrypted: key.encrypted }),
        ...(token && { push_token_id: token.id, push_token_updated_at: token.updatedAt }),
      })
  }

  async delete(id: number): Promise<void> {
    await this.session.run('delete from device where id = ?', [id])
  }

  async countTokens(userId: UserId): Promise<number> {
    const row = await this.session.get<{ count: number }>(
      'select count(*) as count from push_token where user_id = ?',
      [userId],
    )
    return row?.count ?? 0
  }

  async insertToken(userId: UserId, kind: PushTokenKind, tokenHash: string): Promise<void> {
    await this.session.run('insert into push_token (user_id, kind, token_hash) values (?, ?, ?)', [
      userId,
      kind,
      tokenHash,
    ])
  }

  /** @returns false if there is none */
  async deleteToken(user_id: UserId, kind: PushTokenKind, token_hash: string): Promise<boolean> {
    return (await this.session.knex('push_token').where({ user_id, kind, token_hash }).delete()) > 0
  }

  /** Deletes all tokens of the older kind. */
  async deleteTokens(user_id: UserId): Promise<void> {
    await this.session.knex('push_token').where({ user_id }).delete()
  }
}
