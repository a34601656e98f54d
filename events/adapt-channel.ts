import { inheritedNotifications, withInheritedNotifications } from '../domain/channels/wire-channel.ts'
import type {
  ChannelCreateLogEvent,
  ChannelDeleteLogEvent,
  ChannelUpdateLogEvent,
  PlainLogEvent,
  SubscriptionLogEvent,
} from '../domain/events/log-event.ts'
import { mutedTopicsForOutput, topicForOutput } from '../domain/topics/topics.ts'
import { userSettings } from '../domain/users/user-settings.ts'
import type { Event } from '../generated/operations.ts'
import { type Adapted, type Adapter, asItIs } from './adapted.ts'

type Of<Type extends PlainLogEvent['type']> = Extract<PlainLogEvent, { type: Type }>

/**
 * To clients that do not know archived channels, an archived one disappears, never appears, and never changes (level
 * 378).
 */
export const adaptChannel: Adapter<
  Of<'stream'> | ChannelCreateLogEvent | ChannelUpdateLogEvent | ChannelDeleteLogEvent
> = (event, { descriptor }) => {
  const knowsArchived = descriptor.capabilities.archived_channels === true
  switch (event.op) {
    case 'create': {
      const { isOfReturn = false, ...wire } = event as ChannelCreateLogEvent
      if (isOfReturn && knowsArchived) return undefined
      const streams = wire.streams.filter((channel) => knowsArchived || !channel.is_archived)
      if (streams.length === wire.streams.length) return { variant: '', make: () => wire }
      return streams.length === 0 ? undefined : { variant: 'in use', make: () => ({ ...wire, streams }) }
    }
    case 'update': {
      const { isOfArchived = false, ...wire } = event as ChannelUpdateLogEvent
      if (knowsArchived || (!isOfArchived && wire.property !== 'is_archived')) return { variant: '', make: () => wire }
      // A restored channel is announced as new (actions/channels/announce-unarchived.ts).
      return isOfArchived ? undefined : vanishing(wire.stream_id)
    }
    case 'delete': {
      const { isOfArchived = false, ...wire } = event as ChannelDeleteLogEvent
      return isOfArchived && !knowsArchived ? undefined : asItIs(wire)
    }
    default:
      return event satisfies never
  }
}

function vanishing(id: number): Adapted {
  const streams = [{ stream_id: id }]
  return { variant: 'vanished', make: () => ({ type: 'stream', op: 'delete', stream_ids: [id], streams }) }
}

/** Defaults of new accounts, for events of older servers. */
const INHERITED_AT_FIRST = inheritedNotifications(userSettings({}))

/** A null notification setting means the user's general setting; older clients get that value. */
export const adaptSubscription: Adapter<Of<'subscription'> | SubscriptionLogEvent> = (event, { descriptor }) => {
  const { isOfReturn = false, isOfArchived = false, ...told } = event as SubscriptionLogEvent
  if (descriptor.capabilities.archived_channels === true ? isOfReturn : isOfArchived) return undefined
  if (told.op !== 'add') return asItIs(told)
  const { inherited = INHERITED_AT_FIRST, ...wire } = told
  if (descriptor.capabilities.notification_settings_null) return { variant: '', make: () => wire }
  const subscriptions = () => wire.subscriptions.map((one) => withInheritedNotifications(one, inherited))
  return { variant: 'inherited notifications', make: () => ({ ...wire, subscriptions: subscriptions() }) }
}

export const adaptUserTopic: Adapter<Of<'user_topic'>> = (event, { descriptor }) => {
  if (event.topic_name !== '' || descriptor.capabilities.empty_topic_name) return asItIs(event)
  return { variant: 'named topic', make: () => ({ ...event, topic_name: topicForOutput('', false) }) }
}

/** Left out for queues that asked for the newer events about topics. */
export const adaptMutedTopics: Adapter<Of<'muted_topics'>> = (event, { descriptor }) => {
  const { eventTypes, capabilities } = descriptor
  if (eventTypes?.includes('user_topic')) return undefined
  const allowEmpty = capabilities.empty_topic_name === true
  const make = (): Event => ({ ...event, muted_topics: mutedTopicsForOutput(event.muted_topics, allowEmpty) })
  return { variant: String(allowEmpty), make }
}
