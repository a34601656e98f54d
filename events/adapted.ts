import type { ChannelId, MessageId, UserId } from '../domain/ids.ts'
import type { Role } from '../domain/users/roles.ts'
import type { WireValues } from '../domain/wire-values.ts'
import type { Event } from '../generated/operations.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'

/** The recipient of an event. */
export interface Recipient {
  readonly queueId: string
  readonly userId: UserId
  /** The user's role at the event's position. */
  readonly role: Role
  readonly descriptor: QueueDescriptor
  readonly wireValues: WireValues
  /** Its host is in the addresses of users who are not visible. */
  readonly publicUrl: string
  /** Whether the user was subscribed at the event's position (channel messages), or is a member of the conversation. */
  readonly didReceive: boolean
  /** Whether the user was subscribed to the channel when the message was sent to it. */
  receivedMessage(message: { readonly channelId: ChannelId; readonly messageId: MessageId }): boolean
}

/** An event in the form for one queue. */
export interface Adapted {
  /**
   * Name of this form: queues with the same name share the JSON of `make`, because serializing is most of a delivery.
   */
  readonly variant: string
  /** Returns several events if the client gets one event for each item, at most as many as the event's width. */
  make(): Event | readonly Event[]
  /** Fields for this recipient, appended to the shared ones. */
  readonly own?: Readonly<Record<string, unknown>>
}

/** Returns undefined if this queue's client does not get the event. */
export type Adapter<LogEventOfType> = (event: LogEventOfType, recipient: Recipient) => Adapted | undefined

/** For events that look the same to everybody. */
export function asItIs(event: Event): Adapted {
  return { variant: '', make: () => event }
}
