import type { UserId } from '../../domain/ids.ts'
import { isEmptyStatus, NO_STATUS, type UserStatus } from '../../domain/users/user-status.ts'
import type { ReactionType } from '../../domain/wire-values.ts'
import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface UserStatusRow {
  readonly user_id: UserId
  readonly status_text: string
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: string
  readonly away: number
}

const COLUMNS = 'user_id, status_text, emoji_name, emoji_code, reaction_type, away'

function fromRow(row: UserStatusRow): UserStatus {
  return {
    text: row.status_text,
    emoji:
      row.emoji_name === ''
        ? null
        : { type: row.reaction_type as ReactionType, code: row.emoji_code, name: row.emoji_name },
    isAway: row.away === 1,
  }
}

/** User statuses. */
export class UserStatusReader extends Repository {
  /** Returns the statuses of all users; users without one have no key. */
  async all(): Promise<Map<UserId, UserStatus>> {
    const rows = await this.session.all<UserStatusRow>(`select ${COLUMNS} from user_status order by user_id`)
    return new Map(rows.map((row) => [row.user_id, fromRow(row)]))
  }

  /** Returns those of `userIds`; users without one have no key. */
  async among(userIds: readonly UserId[]): Promise<Map<UserId, UserStatus>> {
    const sql = (list: string) => `select ${COLUMNS} from user_status where user_id in ${list} order by user_id`
    const rows = await rowsFor<UserStatusRow>(this.session, userIds, sql)
    return new Map(rows.map((row) => [row.user_id, fromRow(row)]))
  }

  async of(userId: UserId): Promise<UserStatus> {
    const row = await this.session.get<UserStatusRow>(`select ${COLUMNS} from user_status where user_id = ?`, [userId])
    return row ? fromRow(row) : NO_STATUS
  }
}

export class UserStatusWriter extends UserStatusReader {
  /** Replaces the user's status. */
  async replace(userId: UserId, status: UserStatus): Promise<void> {
    await this.session.run('delete from user_status where user_id = ?', [userId])
    if (isEmptyStatus(status)) return
    const { text, emoji, isAway } = status
    await this.session.run(`insert into user_status (${COLUMNS}) values (?, ?, ?, ?, ?, ?)`, [
      userId,
      text,
      emoji?.name ?? '',
      emoji?.code ?? '',
      emoji?.type ?? '',
      isAway ? 1 : 0,
    ])
  }
}
