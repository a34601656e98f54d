import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Texts that people keep for use again and again. */
export class SavedSnippetReader extends Repository {
  /** In the order in which they were made. */
  async of(userId: UserId): Promise<Schemas['SavedSnippet'][]> {
    const rows = await this.session.all<{
      readonly title: string
      readonly content: string
      readonly id: number
      readonly created_at: number
    }>('select * from saved_snippet where user_id = ? order by id', [userId])
    return rows.map(({ id, title, content, created_at }) => ({ id, title, content, date_created: created_at }))
  }
}
