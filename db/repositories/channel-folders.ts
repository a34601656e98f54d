import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

interface ChannelFolderRow {
  readonly id: number
  readonly name: string
  readonly position: number
  readonly created_at: number | null
  readonly creator_id: number | null
  readonly description: string
  readonly rendered_description: string
  readonly is_archived: number
}

/** Headings under which clients list channels. */
export class ChannelFolderReader extends Repository {
  /** Archived ones too, by their order. */
  async all(): Promise<Schemas['ChannelFolder'][]> {
    const rows = await this.session.all<ChannelFolderRow>('select * from channel_folder order by position, id')
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      order: row.position,
      date_created: row.created_at,
      creator_id: row.creator_id,
      description: row.description,
      rendered_description: row.rendered_description,
      is_archived: row.is_archived === 1,
    }))
  }
}
