import type { NewChannel } from '../../db/repositories/channels.ts'
import type { Tx } from '../../db/repositories.ts'
import type { Channel, StoredChannelGroups, TopicsPolicy } from '../../domain/channels/channel.ts'
import { storedChannelGroups, type WantedChannelGroups } from '../../domain/channels/channel-groups.ts'
import { channelDescription, storedRetentionDays } from '../../domain/channels/channel-text.ts'
import { refuseWebPublic } from '../../domain/channels/web-public.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../../domain/errors.ts'
import type { OrganizationState } from '../../domain/organization/organization-state.ts'
import { checkChannelName } from '../../domain/text/names.ts'
import { listedIn } from '../../domain/user-groups/group-setting-values.ts'
import type { GroupSettingValue } from '../../domain/user-groups/group-settings.ts'
import { hasRole } from '../../domain/users/roles.ts'
import type { FoundLists } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { refuseUnknown } from '../user-groups/accept-group-value.ts'
import { acceptFolder } from './channel-folders.ts'
import { insertChannel } from './insert-channel.ts'
import { refuseWithoutRoom, roomOf } from './room-for-channels.ts'

/**
 * Maximum number of users and groups in the settings of one request's new channels, added up over the channels. Other
 * writers wait for the request, and everybody gets all these lists.
 */
const MAX_LISTED_AT_ONCE = 20_000

/** Settings of new channels as the request has them, by the names on the wire; absent ones are left to the server. */
export interface ChannelWishes extends WantedChannelGroups {
  readonly invite_only?: boolean
  readonly is_web_public?: boolean
  readonly is_default_stream?: boolean
  readonly history_public_to_subscribers?: boolean
  readonly message_retention_days?: number | 'realm_default' | 'unlimited'
  readonly topics_policy?: TopicsPolicy
  readonly folder_id?: number | null
}

export interface ChannelText {
  readonly name: string
  readonly description: string
  readonly renderedDescription: string
}

/**
 * Returns the texts in stored form, with the description rendered; call it before the transaction.
 *
 * @throws {BadRequestError} if a text is invalid
 */
export function channelText({ name, description = '' }: { name: string; description?: string }): ChannelText {
  return { name: checkChannelName(name), ...channelDescription(description) }
}

/** Settings of the new channels of one request, in stored form. */
export type AcceptedWishes = Omit<NewChannel, keyof ChannelText | 'creatorId' | 'createdAt'>

/**
 * Returns the settings of the new channels of one request, which are the same for all, if `actor` may make such
 * channels. Only checks whether the channels may become default channels: `addDefaultChannels` makes them so.
 *
 * @param texts of the new channels
 * @throws {BadRequestError} saying what is not allowed or not possible
 * @throws {UnauthorizedPrincipalError} if only owners may set how long messages are kept
 */
export async function acceptWishes(
  tx: Tx,
  actor: Actor,
  wishes: ChannelWishes,
  texts: readonly Pick<ChannelText, 'renderedDescription'>[],
): Promise<AcceptedWishes> {
  refuseForbidden(actor, wishes, tx.organization)
  const inviteOnly = wishes.invite_only ?? false
  const isHistoryPublic = wishes.history_public_to_subscribers ?? !inviteOnly
  if (!inviteOnly && !isHistoryPublic) throw new BadRequestError('Invalid parameters')
  if (inviteOnly && wishes.is_default_stream) throw new BadRequestError('A default channel cannot be private.')
  refuseWebPublic(wishes.is_web_public, { inviteOnly, historyPublicToSubscribers: isHistoryPublic })
  return {
    inviteOnly,
    historyPublicToSubscribers: isHistoryPublic,
    messageRetentionDays: storedRetentionDays(wishes.message_retention_days ?? 'realm_default'),
    topicsPolicy: wishes.topics_policy ?? 'inherit',
    groupSettings: await groupSettings(tx, actor, wishes, texts),
    folderId: await acceptFolder(tx, wishes.folder_id ?? null),
  }
}

/** Creates a channel for `actor`; parameter `lists` and result as for `insertChannel`. */
export function createChannelFor(
  tx: Tx,
  actor: Actor,
  { name, description, renderedDescription }: ChannelText,
  settings: AcceptedWishes,
  lists?: FoundLists,
): Promise<Channel | undefined> {
  const text = { name, description, renderedDescription }
  const channel = { ...settings, ...text, creatorId: actor.id, createdAt: tx.organization.now }
  return insertChannel(tx, channel, lists)
}

function refuseForbidden(actor: Actor, wishes: ChannelWishes, organization: OrganizationState): void {
  const { settings } = organization
  const refuseUnlessIn = (group: GroupSettingValue): void => {
    if (!organization.isIn(group, actor)) throw new BadRequestError('Insufficient permission')
  }
  refuseUnlessIn(
    wishes.invite_only ? settings.can_create_private_channel_group : settings.can_create_public_channel_group,
  )
  if ((wishes.topics_policy ?? 'inherit') !== 'inherit') refuseUnlessIn(settings.can_set_topics_policy_group)
  const setsDeletion =
    wishes.can_delete_any_message_group !== undefined || wishes.can_delete_own_message_group !== undefined
  if (setsDeletion) refuseUnlessIn(settings.can_set_delete_message_policy_group)
  if (wishes.is_default_stream && !hasRole(actor.role, 'administrator')) {
    throw new BadRequestError('You do not have permission to change default channels.')
  }
  if ((wishes.message_retention_days ?? 'realm_default') !== 'realm_default' && !hasRole(actor.role, 'owner')) {
    throw new UnauthorizedPrincipalError('owner')
  }
}

/** All users and groups that the settings name must exist. */
async function groupSettings(
  tx: Tx,
  actor: Actor,
  wishes: ChannelWishes,
  texts: readonly Pick<ChannelText, 'renderedDescription'>[],
): Promise<StoredChannelGroups> {
  const stored = storedChannelGroups(wishes)
  const values = Object.values(stored)
  const listed = values.reduce<number>((sum, value) => sum + listedIn(value), 0)
  if (texts.length * listed > MAX_LISTED_AT_ONCE) {
    const most = `maximum ${MAX_LISTED_AT_ONCE}, times channels`
    throw new BadRequestError(`The settings list too many users and groups (${most}): make a user group of them.`)
  }
  await refuseUnknown(tx, values)
  const more = texts.reduce((sum, text) => sum + roomOf({ ...text, groupSettings: stored }), 0)
  await refuseWithoutRoom(tx, actor, actor.id, more)
  return stored
}
