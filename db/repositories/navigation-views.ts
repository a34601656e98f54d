import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Views that people keep at hand. */
export class NavigationViewReader extends Repository {
  /** By fragment. */
  async of(userId: UserId): Promise<Schemas['NavigationView'][]> {
    const rows = await this.session.all<
      { readonly fragment: string; readonly is_pinned: number } & { readonly name: string | null }
    >('select * from navigation_view where user_id = ? order by fragment', [userId])
    return rows.map(({ fragment, is_pinned, name }) => ({ fragment, is_pinned: is_pinned === 1, name }))
  }
}
