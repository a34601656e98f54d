import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Navigation views of users. */
export class NavigationViewReader extends Repository {
  /** By fragment. */
  async of(userId: UserId): Promise<Schemas['NavigationView'][]> {
    const rows = await this.session.all<
      { readonly fragment: string; readonly is_pinned: number } & { readonly name: string | null }
    >('select * from navigation_view where user_id = ? order by fragment', [userId])
    return rows.map(({ fragment, is_pinned, name }) => ({ fragment, is_pinned: is_pinned === 1, name }))
  }
}

export class NavigationViewWriter extends NavigationViewReader {
  async insert(userId: UserId, { fragment, is_pinned, name }: Schemas['NavigationView']): Promise<void> {
    await this.session.run('insert into navigation_view (user_id, fragment, is_pinned, name) values (?, ?, ?, ?)', [
      userId,
      fragment,
      is_pinned ? 1 : 0,
      name,
    ])
  }

  async update(userId: UserId, { fragment, is_pinned, name }: Schemas['NavigationView']): Promise<void> {
    await this.session.run('update navigation_view set is_pinned = ?, name = ? where user_id = ? and fragment = ?', [
      is_pinned ? 1 : 0,
      name,
      userId,
      fragment,
    ])
  }

  async delete(userId: UserId, fragment: string): Promise<void> {
    await this.session.run('delete from navigation_view where user_id = ? and fragment = ?', [userId, fragment])
  }
}
