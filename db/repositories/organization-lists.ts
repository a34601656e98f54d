import type { ChannelId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

interface CustomProfileFieldRow {
  readonly id: number
  readonly type: number
  readonly position: number
  readonly name: string
  readonly hint: string
  readonly field_data: string
  readonly display_in_profile_summary: number
  readonly is_required: number
  readonly editable_by_user: number
  readonly use_for_user_matching: number
}

interface LinkifierRow {
  readonly id: number
  readonly pattern: string
  readonly url_template: string
  readonly example_input: string | null
  readonly reverse_template: string | null
  readonly alternative_url_templates: string
}

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

/** What administrators set up in lists, as clients see it. One query each, unless it says more. */
export class OrganizationListReader extends Repository {
  /** By their order. */
  async customProfileFields(): Promise<Schemas['CustomProfileField'][]> {
    const rows = await this.session.all<CustomProfileFieldRow>(
      'select * from custom_profile_field order by position, id',
    )
    return rows.map((row) => ({
      id: row.id,
      type: row.type,
      order: row.position,
      name: row.name,
      hint: row.hint,
      field_data: row.field_data,
      // Only clients that know the key at all know it to be true (level 146).
      ...(row.display_in_profile_summary === 1 && { display_in_profile_summary: true }),
      required: row.is_required === 1,
      editable_by_user: row.editable_by_user === 1,
      use_for_user_matching: row.use_for_user_matching === 1,
    }))
  }

  /** By their order, which decides between two that match. */
  async linkifiers(): Promise<Schemas['Linkifier'][]> {
    const rows = await this.session.all<LinkifierRow>('select * from linkifier order by position, id')
    return rows.map((row) => ({
      id: row.id,
      pattern: row.pattern,
      url_template: row.url_template,
      example_input: row.example_input,
      reverse_template: row.reverse_template,
      alternative_url_templates: JSON.parse(row.alternative_url_templates) as string[],
    }))
  }

  /** In the order in which they were made. */
  async playgrounds(): Promise<Schemas['Playground'][]> {
    return this.session.all('select id, name, pygments_language, url_template from playground order by id')
  }

  /** By name. */
  async emailDomains(): Promise<Schemas['EmailDomain'][]> {
    const rows = await this.session.all<{ domain: string; allow_subdomains: number }>(
      'select domain, allow_subdomains from email_domain order by domain',
    )
    return rows.map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains: allow_subdomains === 1 }))
  }

  /** Channels that new users are subscribed to, by ascending id. */
  async defaultChannelIds(): Promise<ChannelId[]> {
    const rows = await this.session.all<{ id: ChannelId }>(
      'select channel_id as id from default_channel order by channel_id',
    )
    return rows.map(({ id }) => id)
  }

  /** In the order in which they were made. Two queries. */
  async defaultChannelGroups(): Promise<Schemas['DefaultChannelGroup'][]> {
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

  /** Archived ones too, by their order. */
  async channelFolders(): Promise<Schemas['ChannelFolder'][]> {
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
