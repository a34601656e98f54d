import type { UserId } from '../../domain/ids.ts'
import type { MutedUser } from '../../domain/users/muted-user.ts'
import { Repository } from '../repository.ts'

/** Users who are muted by other users. */
export class MutedUserReader extends Repository {
  /** Returns whom `userId` has muted, by ID. */
  async of(userId: UserId): Promise<MutedUser[]> {
    const rows = await this.session.all<{ muted_user_id: UserId; muted_at: number }>(
      'select muted_user_id, muted_at from muted_user where user_id = ? order by muted_user_id',
      [userId],
    )
    return rows.map((row) => ({ id: row.muted_user_id, mutedAt: row.muted_at }))
  }
}

export class MutedUserWriter extends MutedUserReader {
  async add(userId: UserId, { id, mutedAt }: MutedUser): Promise<void> {
    await this.session.run('insert into muted_user (user_id, muted_user_id, muted_at) values (?, ?, ?)', [
      userId,
      id,
      mutedAt,
    ])
  }

  /** Returns false if the user was not muted. */
  async remove(userId: UserId, mutedId: UserId): Promise<boolean> {
    const { changes } = await this.session.run('delete from muted_user where user_id = ? and muted_user_id = ?', [
      userId,
      mutedId,
    ])
    return changes > 0
  }
}
