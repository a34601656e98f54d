import { DAY_SECONDS } from '../../domain/clock.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Invitation, InvitationTerms } from '../../domain/invitations.ts'
import { emailKey } from '../../domain/text/text-keys.ts'
import type { Role } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { rowsInPages } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface Row {
  readonly id: number
  readonly email: string | null
  readonly key_encrypted: string
  readonly invited_by: UserId
  readonly invited_at: number
  readonly minutes: number | null
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly role: Role
  readonly notifies_inviter: number
  readonly includes_defaults: number
  readonly welcome_text: string | null
  readonly channel_ids: string
  readonly group_ids: string
}

const IS_OPEN = 'revoked_at is null and (expires_at is null or expires_at > ?)'

/** Invitations to create an account. */
export class InvitationReader extends Repository {
  /**
   * Returns open invitations in the order in which they were made; in pages. @param invitedBy undefined for everybody
   */
  open(now: number, invitedBy?: UserId, pauses = new Pauses()): Promise<Invitation[]> {
    const [whose, params] = invitedBy === undefined ? ['', []] : ['and invited_by = ?', [invitedBy]]
    const sql = `select * from invitation where ${IS_OPEN} ${whose}`
    return rowsInPages(this.session, { sql, params: [now, ...params] }, fromRow, pauses)
  }

  async countOpen(now: number, invitedBy: UserId): Promise<number> {
    const row = await this.session.get<{ count: number }>(
      `select count(*) as count from invitation where ${IS_OPEN} and invited_by = ?`,
      [now, invitedBy],
    )
    return row?.count ?? 0
  }

  /** Open or not. */
  async find(id: number): Promise<Invitation | undefined> {
    const row = await this.session.get<Row>('select * from invitation where id = ?', [id])
    return row && fromRow(row)
  }

  /** Same as above, by the hash of its key. */
  async byKey(keyHash: string): Promise<Invitation | undefined> {
    const row = await this.session.get<Row>('select * from invitation where key_hash = ?', [keyHash])
    return row && fromRow(row)
  }
}

type Made = Pick<Invitation, 'invitedBy' | 'invitedAt' | 'expiresAt'>
type Invited = Pick<Invitation, 'email' | 'keyEncrypted'> & { readonly keyHash: string }

const INSERT = `insert into invitation (email, email_key, key_hash, key_encrypted, invited_by, invited_at, minutes,
  expires_at, role, notifies_inviter, includes_defaults, welcome_text, channel_ids, group_ids)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export class InvitationWriter extends InvitationReader {
  /** Adds an invitation with these terms for each of `invited`; in pieces. */
  async insert(terms: InvitationTerms & Made, invited: readonly Invited[]): Promise<void> {
    const pauses = new Pauses()
    const [channelIds, groupIds] = [JSON.stringify(terms.channelIds), JSON.stringify(terms.groupIds)]
    for (const { email, keyHash, keyEncrypted } of invited) {
      await this.session.run(INSERT, [
        ...[email, email === null ? null : emailKey(email), keyHash, keyEncrypted],
        ...[terms.invitedBy, terms.invitedAt, terms.minutes, terms.expiresAt, terms.role],
        ...[terms.notifiesInviter ? 1 : 0, terms.includesDefaults ? 1 : 0, terms.welcomeText, channelIds, groupIds],
      ])
      await pauses.letOthers()
    }
  }

  async setExpiry(id: number, expiresAt: number | null): Promise<void> {
    await this.session.run('update invitation set expires_at = ? where id = ?', [expiresAt, id])
  }

  async revoke(id: number, now: number): Promise<void> {
    await this.session.run('update invitation set revoked_at = ? where id = ?', [now, id])
  }

  async delete(id: number): Promise<void> {
    await this.session.run('delete from invitation where id = ?', [id])
  }

  /**
   * Deletes invitations that nobody can use or look up any more: expired ones, and ones revoked more than a day ago.
   */
  async deleteEnded(now: number): Promise<void> {
    await this.session.run('delete from invitation where expires_at <= ? or revoked_at < ?', [now, now - DAY_SECONDS])
  }

  /** @returns their inviters, each once */
  async deleteOfEmail(email: string): Promise<UserId[]> {
    const rows = await this.session.all<{ invited_by: UserId }>(
      'select distinct invited_by from invitation where email_key = ? order by invited_by',
      [emailKey(email)],
    )
    await this.session.run('delete from invitation where email_key = ?', [emailKey(email)])
    return rows.map((row) => row.invited_by)
  }

  /** @returns false if there were none */
  async deleteOf(invitedBy: UserId): Promise<boolean> {
    return (await this.session.run('delete from invitation where invited_by = ?', [invitedBy])).changes > 0
  }
}

function fromRow(row: Row): Invitation {
  return {
    id: row.id,
    email: row.email,
    keyEncrypted: row.key_encrypted,
    invitedBy: row.invited_by,
    invitedAt: row.invited_at,
    minutes: row.minutes,
    expiresAt: row.expires_at,
    isRevoked: row.revoked_at !== null,
    role: row.role,
    notifiesInviter: row.notifies_inviter === 1,
    includesDefaults: row.includes_defaults === 1,
    welcomeText: row.welcome_text,
    channelIds: JSON.parse(row.channel_ids),
    groupIds: JSON.parse(row.group_ids),
  }
}
