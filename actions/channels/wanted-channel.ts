import type { Readers, Tx } from '../../db/repositories.ts'
import {
  type Channel,
  channelGroup,
  READ_BY,
  type StoredChannelGroups,
  type TopicsPolicy,
} from '../../domain/channels/channel.ts'
import { storedRetentionDays } from '../../domain/channels/channel-text.ts'
import { refuseWebPublic } from '../../domain/channels/web-public.ts'
import { BadRequestError, UnauthorizedPrincipalError } from '../../domain/errors.ts'
import { MODERATION_CHANNEL_IS_PRIVATE } from '../../domain/organization/organization-settings.ts'
import type { OrganizationState } from '../../domain/organization/organization-state.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import { namedIn } from '../../domain/user-groups/group-setting-values.ts'
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSettingName,
} from '../../domain/user-groups/group-settings.ts'
import { hasRole, ROLE } from '../../domain/users/roles.ts'
import type { FoundChannel } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { changedGroupValues, type GroupValueUpdate } from '../user-groups/accept-group-value.ts'
import { refuseUnknownGroups } from '../user-groups/create-group.ts'
import { acceptFolder } from './channel-folders.ts'
import { refuseWithoutRoom, roomOf } from './room-for-channels.ts'

type GroupChanges = { readonly [Name in ChannelGroupSettingName]?: GroupValueUpdate | undefined }

/** Changes of an existing channel, by the names on the wire, with texts checked and rendered; absent ones stay. */
export interface ChannelChanges extends GroupChanges {
  readonly text: Partial<Pick<Channel, 'name' | 'description' | 'renderedDescription'>>
  readonly is_private?: boolean | undefined
  readonly history_public_to_subscribers?: boolean | undefined
  readonly is_default_stream?: boolean | undefined
  readonly message_retention_days?: number | 'realm_default' | 'unlimited' | undefined
  readonly is_archived?: boolean | undefined
  readonly is_web_public?: boolean | undefined
  readonly topics_policy?: TopicsPolicy | undefined
  readonly folder_id?: number | null | undefined
}

/**
 * Returns the channel as `actor` wants it, if that is allowed. Writes nothing.
 *
 * @throws {UnauthorizedPrincipalError} if only owners may change a setting, regardless of its value
 * @throws {ExpectationMismatchError} if a group setting is not what the caller believes
 * @throws {BadRequestError} saying what is not allowed or not possible
 */
export async function wantedChannel(
  tx: Tx,
  actor: Actor,
  { channel, rights }: FoundChannel,
  changes: ChannelChanges,
): Promise<Channel> {
  if (!rights.mayAdminister) throw new BadRequestError('You do not have permission to administer this channel.')
  refuseForbidden(actor, changes, tx.organization)
  const decidesWhoReads = ['is_private', 'history_public_to_subscribers', ...READ_BY] as const
  if (!rights.mayRead && decidesWhoReads.some((one) => changes[one] !== undefined)) {
    throw new BadRequestError('Only those who may read a channel change who may.')
  }
  const { message_retention_days: days, topics_policy: topicsPolicy = channel.topicsPolicy } = changes
  const wanted: Channel = {
    ...channel,
    ...changes.text,
    ...privacyOf(channel, changes),
    isArchived: channel.isArchived && changes.is_archived !== false,
    messageRetentionDays: days === undefined ? channel.messageRetentionDays : storedRetentionDays(days),
    topicsPolicy,
    folderId: changes.folder_id === undefined ? channel.folderId : await acceptFolder(tx, changes.folder_id),
    groupSettings: { ...channel.groupSettings, ...(await changedGroups(tx, channel, changes)) },
  }
  await refuseWithoutRoom(tx, actor, channel.creatorId, roomOf(wanted) - roomOf(channel))
  refuseWebPublic(changes.is_web_public, wanted)
  if (changes.text.name !== undefined) await refuseName(tx, channel, changes.text.name)
  if (channel.isArchived && !wanted.isArchived) refuseNamedOutOfUse(tx, wanted)
  await refusePrivateDefault(tx, wanted, changes.is_default_stream)
  if (!wanted.inviteOnly && tx.organization.settings.moderation_request_channel_id === channel.id) {
    throw new BadRequestError(MODERATION_CHANNEL_IS_PRIVATE)
  }
  if (topicsPolicy === 'empty_topic_only' && topicsPolicy !== channel.topicsPolicy) {
    const isNamed = await tx.topics.hasNamed(channel.id)
    if (isNamed) throw new BadRequestError('topics_policy: there are messages in other topics than the empty one.')
  }
  return wanted
}

function refuseForbidden(actor: Actor, changes: ChannelChanges, organization: OrganizationState): void {
  const { settings } = organization
  const isOwner = actor.role === ROLE.owner
  if (changes.message_retention_days !== undefined && !isOwner) throw new UnauthorizedPrincipalError('owner')
  if (changes.is_default_stream !== undefined && !hasRole(actor.role, 'administrator')) {
    throw new BadRequestError('You do not have permission to change default channels.')
  }
  const setsDeletion =
    changes.can_delete_any_message_group !== undefined || changes.can_delete_own_message_group !== undefined
  const needed = [
    ...(changes.topics_policy === undefined ? [] : [settings.can_set_topics_policy_group]),
    ...(setsDeletion ? [settings.can_set_delete_message_policy_group] : []),
  ]
  if (!needed.every((group) => organization.isIn(group, actor))) throw new BadRequestError('Insufficient permission')
}

/**
 * A channel that becomes private hides its history unless the request says otherwise; a public one always shares it.
 */
function privacyOf(
  channel: Channel,
  { is_private: isPrivate, history_public_to_subscribers: isHistoryPublic }: ChannelChanges,
): Pick<Channel, 'inviteOnly' | 'historyPublicToSubscribers'> {
  const inviteOnly = isPrivate ?? channel.inviteOnly
  const presentOrDefault = isPrivate === undefined ? channel.historyPublicToSubscribers : !inviteOnly
  const historyPublicToSubscribers = isHistoryPublic ?? presentOrDefault
  if (!inviteOnly && !historyPublicToSubscribers) throw new BadRequestError('Invalid parameters')
  return { inviteOnly, historyPublicToSubscribers }
}

function changedGroups(tx: Tx, channel: Channel, changes: ChannelChanges): Promise<StoredChannelGroups> {
  return changedGroupValues(tx, CHANNEL_GROUP_SETTINGS, (name) => channelGroup(channel, name), changes)
}

/**
 * Groups that an archived channel names may have been deactivated meanwhile, and an active channel must not depend on
 * them.
 */
function refuseNamedOutOfUse(tx: Tx, channel: Channel): void {
  refuseUnknownGroups(tx, namedIn(CHANNEL_GROUP_SETTING_NAMES.map((name) => channelGroup(channel, name))).groupIds)
}

async function refuseName(read: Readers, channel: Channel, name: string): Promise<void> {
  if (name === channel.name) throw new BadRequestError('Channel already has that name.')
  if (nameKey(name) === nameKey(channel.name)) return
  if (await read.channels.byName(name)) throw new BadRequestError('Channel name already in use.')
}

async function refusePrivateDefault(
  read: Readers,
  { id, inviteOnly, isArchived }: Channel,
  isDefaultWanted: boolean | undefined,
): Promise<void> {
  if (isDefaultWanted && isArchived) throw new BadRequestError('A default channel cannot be archived.')
  if (!inviteOnly) return
  const isDefault = isDefaultWanted ?? (await read.defaultChannels.has(id))
  if (isDefault || (await read.defaultChannels.isInGroup(id)))
    throw new BadRequestError('A default channel cannot be private.')
}
