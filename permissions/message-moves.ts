import type { MessageToChange } from '../db/repositories/viewed-messages.ts'
import type { Readers } from '../db/repositories.ts'
import { type Channel, channelGroup } from '../domain/channels/channel.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { Place } from '../domain/messages/message.ts'
import type { OrganizationState } from '../domain/organization/organization-state.ts'
import { isEmptyTopicMarked, normalizeTopicToSendTo, type TopicChange, topicChange } from '../domain/topics/topics.ts'
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSettingName,
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSettingName,
} from '../domain/user-groups/group-settings.ts'
import { hasRole } from '../domain/users/roles.ts'
import type { Input } from '../generated/operations.ts'
import type { Actor } from './actor.ts'
import { EDIT_GRACE_SECONDS } from './message-rules.ts'
import { channelToSend, checkTopic } from './posting.ts'

/** The destination of a message, and which others move with it. */
export type WantedMove = Pick<Input<'update-message'>, 'topic' | 'stream_id' | 'propagate_mode'>

/** A move that `actor` may make with the named message. */
export interface Move {
  readonly from: Channel
  /** Null if the channel stays. */
  readonly to: Channel | null
  readonly oldTopic: string
  readonly newTopic: string
  readonly change: TopicChange
  readonly mode: WantedMove['propagate_mode']
  /** Maximum age in seconds of messages that may be moved; null for no limit. */
  readonly limit: number | null
}

/** Refuses moves that are impossible for everybody (MSG-EDIT-3, 15, 27, 28, 57). @throws {BadRequestError} */
export function checkCombination(
  place: Place,
  { content, ...wanted }: WantedMove & { readonly content?: unknown },
): void {
  const { topic, stream_id: channelId, propagate_mode: mode } = wanted
  if (content === undefined && topic === undefined && channelId === undefined)
    throw new BadRequestError('Nothing to change')
  if (place.kind !== 'channel') {
    if (channelId !== undefined) throw new BadRequestError('Direct messages cannot be moved to channels.')
    if (topic !== undefined) throw new BadRequestError('Direct messages cannot have topics.')
  }
  if (mode !== 'change_one' && topic === undefined && channelId === undefined)
    throw new BadRequestError('Invalid propagate_mode without topic edit')
  if (channelId !== undefined && content !== undefined)
    throw new BadRequestError('Cannot change message content while changing channel')
}

/**
 * Returns the move, if `actor` may make it with exactly this message (MSG-EDIT-60 gives the order). Returns undefined
 * if the message is already there, because clients also send its place with new content.
 *
 * @throws {BadRequestError} with the reason; {TopicPolicyError} {NotAuthorizedToSendError}
 */
export async function acceptMove(
  read: Readers,
  actor: Actor,
  { message }: Pick<MessageToChange, 'message'>,
  wanted: WantedMove,
): Promise<Move | undefined> {
  const { place, sentAt } = message
  if (place.kind !== 'channel') return undefined
  const { organization } = read
  const newTopic = wanted.topic === undefined ? place.topic : normalizeTopicToSendTo(wanted.topic)
  const isElsewhere = wanted.stream_id !== undefined && wanted.stream_id !== place.channelId
  const change = topicChange(place.topic, newTopic)
  const isOtherTopic = change.mark !== undefined || change.isRenamed
  if (!isOtherTopic && !isElsewhere) return undefined
  const from = await read.channels.byId(place.channelId)
  if (!from) throw new Error(`message ${message.id} is in channel ${place.channelId}, which is not there`)
  const limits = limitsOf(actor, organization)
  // If all messages of the topic are to move, `messagesToMove` refuses, and says which of them may (NOTE-3).
  const isTooOld = (limit: number | null): boolean =>
    limit !== null && wanted.propagate_mode !== 'change_all' && organization.now - sentAt > limit + EDIT_GRACE_SECONDS
  if (isOtherTopic) {
    checkTopicRights(actor, from, { oldTopic: place.topic, newTopic, change }, organization)
    if (isTooOld(limits.topics))
      throw new BadRequestError("The time limit for editing this message's topic has passed.")
  }
  const to = isElsewhere ? await channelToMoveTo(read, actor, from, wanted.stream_id as ChannelId) : null
  if (to && isTooOld(limits.channels)) {
    throw new BadRequestError("The time limit for editing this message's channel has passed")
  }
  await checkTopic(read, actor, { channel: to ?? from, topic: newTopic })
  const inForce = [isOtherTopic ? limits.topics : null, to ? limits.channels : null].filter((limit) => limit !== null)
  return {
    from,
    to,
    oldTopic: place.topic,
    newTopic,
    change,
    mode: wanted.propagate_mode,
    limit: inForce.length === 0 ? null : Math.min(...inForce),
  }
}

/** Members of the organization's group or of the channel's (levels 316, 367, 396 and 402). */
function checkTopicRights(
  actor: Actor,
  channel: Channel,
  { oldTopic, newTopic, change }: Pick<Move, 'oldTopic' | 'newTopic' | 'change'>,
  organization: OrganizationState,
): void {
  if (change.isRenamed && !mayMove(actor, TOPIC_MOVERS, channel, organization)) {
    throw new BadRequestError("You don't have permission to edit this message")
  }
  if (change.mark && !mayMove(actor, RESOLVERS, channel, organization)) {
    throw new BadRequestError("You don't have permission to resolve topics.")
  }
  const isEmptyMarked = isEmptyTopicMarked(newTopic) || (oldTopic === '' && newTopic === EMPTY_MARKED)
  if (isEmptyMarked) throw new BadRequestError('The empty topic cannot be resolved.')
}

/** The resolved mark of a topic without the white space after it. */
const EMPTY_MARKED = '✔'

async function channelToMoveTo(read: Readers, actor: Actor, from: Channel, wanted: ChannelId): Promise<Channel> {
  if (!mayMove(actor, CHANNEL_MOVERS, from, read.organization)) {
    throw new BadRequestError("You don't have permission to move this message")
  }
  const found = await channelToSend(read, actor, await read.channels.byId(wanted))
  if (!found) throw new BadRequestError('Invalid channel ID')
  return found.channel
}

/** A setting of the organization and one of the channel. Either permits the move. */
type Movers = readonly [anywhere: OrganizationGroupSettingName, here: ChannelGroupSettingName]
const TOPIC_MOVERS: Movers = ['can_move_messages_between_topics_group', 'can_move_messages_within_channel_group']
const RESOLVERS: Movers = ['can_resolve_topics_group', 'can_resolve_topics_group']
const CHANNEL_MOVERS: Movers = ['can_move_messages_between_channels_group', 'can_move_messages_out_of_channel_group']

function mayMove(actor: Actor, [anywhere, here]: Movers, channel: Channel, organization: OrganizationState): boolean {
  return (
    organization.may(ORGANIZATION_GROUP_SETTINGS[anywhere], organization.settings[anywhere], actor) ||
    organization.may(CHANNEL_GROUP_SETTINGS[here], channelGroup(channel, here), actor)
  )
}

/** In seconds; null for no limit, as for moderators (MSG-EDIT-39). */
function limitsOf(
  actor: Actor,
  { settings }: OrganizationState,
): { readonly topics: number | null; readonly channels: number | null } {
  if (hasRole(actor.role, 'moderator')) return { topics: null, channels: null }
  return {
    topics: settings.move_messages_within_stream_limit_seconds,
    channels: settings.move_messages_between_streams_limit_seconds,
  }
}
