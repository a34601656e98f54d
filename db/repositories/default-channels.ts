import { chunksOf } from '../../domain/chunks.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Maximum number of rows in one insert on SQLite, where Knex makes a SELECT of each row. */
const CHANNELS_AT_ONCE = 500

/** Channels that new users are subscribed to, or can choose together. */
export class DefaultChannelReader extends Repository {
  /** Returns the channels that new users are subscribed to, by ascending ID. */
  async ids(): Promise<ChannelId[]> {
    const rows = await this.session.all<{ id: ChannelId }>(
      'select channel_id as id from default_channel order by channel_id',
    )
    return rows.map(({ id }) => id)
  }

  /** Whether new users are subscribed to it. */
  async has(id: ChannelId): Promise<boolean> {
    return (await this.session.get('select 1 from default_channel where channel_id = ?', [id])) !== undefined
  }

  /** Whether new users can choose it. */
  async isInGroup(id: ChannelId): Promise<boolean> {
    const row = await this.session.get('select 1 from default_channel_group_channel where channel_id = ? limit 1', [id])
    return row !== undefined
  }

  /** In the order in which they were created. Two queries. */
  async groups(): Promise<Schemas['DefaultChannelGroup'][]> {
    const groups = await this.session.all<{ id: number; name: string; description: string }>(
      'select id, name, description from default_channel_group order by id',
    )
    if (groups.length === 0) return []
    const rows = await this.session.all<{ groupId: number; channelId: number }>(
      'select group_id as groupId, channel_id as channelId from default_channel_group_channel order by channel_id',
    )
    const channels = Map.groupBy(rows, ({ groupId }) => groupId)
    return groups.map(({ id, name, description }) => ({
      id,
      name,
      description,
      streams: (channels.get(id) ?? []).map(({ channelId }) => channelId),
    }))
  }
}

/** Callers keep these tables small, because lists are read and announced as a whole. */
export class DefaultChannelWriter extends DefaultChannelReader {
  /** @param channelIds none of which new users are subscribed to so far */
  async add(channelIds: readonly ChannelId[]): Promise<void> {
    for (const chunk of chunksOf(channelIds, CHANNELS_AT_ONCE)) {
      await this.session.knex('default_channel').insert(chunk.map((id) => ({ channel_id: id })))
    }
  }

  /** Returns false if new users were not subscribed to it anyway. */
  async remove(id: ChannelId): Promise<boolean> {
    return (await this.session.run('delete from default_channel where channel_id = ?', [id])).changes > 0
  }

  /** Creates a group without channels; returns its ID. */
  async insertGroup(name: string, description: string): Promise<number> {
    const [id] = await this.session.knex('default_channel_group').insert({ name, description })
    return id as number
  }

  async describeGroup(id: number, name: string, description: string): Promise<void> {
    await this.session.run('update default_channel_group set name = ?, description = ? where id = ?', [
      name,
      description,
      id,
    ])
  }

  async removeGroup(id: number): Promise<void> {
    await this.session.run('delete from default_channel_group_channel where group_id = ?', [id])
    await this.session.run('delete from default_channel_group where id = ?', [id])
  }

  /** @param channelIds none of which is in the group so far */
  async addToGroup(id: number, channelIds: readonly ChannelId[]): Promise<void> {
    for (const chunk of chunksOf(channelIds, CHANNELS_AT_ONCE)) {
      const rows = chunk.map((channelId) => ({ group_id: id, channel_id: channelId }))
      await this.session.knex('default_channel_group_channel').insert(rows)
    }
  }

  async removeFromGroup(id: number, channelIds: readonly ChannelId[]): Promise<void> {
    for (const chunk of chunksOf(channelIds, CHANNELS_AT_ONCE)) {
      await this.session
        .knex('default_channel_group_channel')
        .where('group_id', id)
        .whereIn('channel_id', chunk)
        .delete()
    }
  }

  /** Removes a channel from all groups. Returns false if it was in none. */
  async leaveGroups(id: ChannelId): Promise<boolean> {
    const { changes } = await this.session.run('delete from default_channel_group_channel where channel_id = ?', [id])
    return changes > 0
  }
}
