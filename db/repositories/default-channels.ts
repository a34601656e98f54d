import type { ChannelId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Channels that new users follow, or can choose together. */
export class DefaultChannelReader extends Repository {
  /** Channels that new users are subscribed to, by ascending id. */
  async ids(): Promise<ChannelId[]> {
    const rows = await this.session.all<{ id: ChannelId }>(
      'select channel_id as id from default_channel order by channel_id',
    )
    return rows.map(({ id }) => id)
  }

  /** In the order in which they were made. Two queries. */
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
