import type { UserId } from '../../domain/ids.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { Schemas } from '../../generated/operations.ts'
import { rowsInPages } from '../pieces.ts'
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

type ChannelFolder = Schemas['ChannelFolder']

function fromRow(row: ChannelFolderRow): ChannelFolder {
  return {
    id: row.id,
    name: row.name,
    order: row.position,
    date_created: row.created_at,
    creator_id: row.creator_id,
    description: row.description,
    rendered_description: row.rendered_description,
    is_archived: row.is_archived === 1,
  }
}

/** The fields of a folder that can change, besides its order. */
export type FolderText = Pick<ChannelFolder, 'name' | 'description' | 'rendered_description'>

export interface NewChannelFolder extends FolderText {
  readonly creatorId: UserId
  /** UNIX seconds. */
  readonly createdAt: number
}

/** Folders under which clients list channels. */
export class ChannelFolderReader extends Repository {
  /** Includes archived ones, in order; in pages. */
  async all(pauses = new Pauses()): Promise<ChannelFolder[]> {
    const sql = 'select * from channel_folder where true'
    const folders = await rowsInPages(this.session, { sql }, fromRow, pauses)
    return folders.sort((a, b) => a.order - b.order || a.id - b.id)
  }

  async byId(id: number): Promise<ChannelFolder | undefined> {
    const row = await this.session.get<ChannelFolderRow>('select * from channel_folder where id = ?', [id])
    return row && fromRow(row)
  }

  /** Whether it contains any channel, archived ones included. */
  async hasChannels(id: number): Promise<boolean> {
    return (await this.session.get('select id from channel where folder_id = ? limit 1', [id])) !== undefined
  }
}

export class ChannelFolderWriter extends ChannelFolderReader {
  /** Adds a folder at the end. */
  async insert({ creatorId, createdAt, ...text }: NewChannelFolder): Promise<ChannelFolder> {
    const last = await this.session.get<{ position: number | null }>(
      'select max(position) as position from channel_folder',
    )
    const order = (last?.position ?? -1) + 1
    const [id] = await this.session.knex('channel_folder').insert({
      ...text,
      position: order,
      creator_id: creatorId,
      created_at: createdAt,
      is_archived: false,
    })
    return { id: id as number, ...text, order, creator_id: creatorId, date_created: createdAt, is_archived: false }
  }

  async change(id: number, changes: Partial<FolderText & Pick<ChannelFolder, 'is_archived'>>): Promise<void> {
    await this.session.knex('channel_folder').where('id', id).update(changes)
  }

  async move(id: number, position: number): Promise<void> {
    await this.session.run('update channel_folder set position = ? where id = ?', [position, id])
  }
}
