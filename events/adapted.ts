import type { ChannelId, MessageId, UserId } from '../domain/ids.ts'
import type { Role } from '../domain/users/roles.ts'
import type { WireValues } from '../domain/wire-values.ts'
import type { Event } from '../generated/operations.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'

/** For whom an event is put into words. */
export interface Recipient {
  readonly queueId: string
  readonly userId: UserId
  /** Of the user, at the event's position. */
  readonly role: Role
  readonly descriptor: QueueDescriptor
  readonly wireValues: WireValues
  /** Whose host is in addresses of people whom the user does not see. */
  readonly publicUrl: string
  /** Whether the user was subscribed at the event's position (channel messages), or is part of the conversation. */
  readonly didReceive: boolean
  /** Whether the user was subscribed to the channel when the message was sent to it. */
  receivedMessage(message: { readonly channelId: ChannelId; readonly messageId: MessageId }): boolean
}

/** How an event looks in one queue. */
export interface Adapted {
  /** Names this form: queues with the same name share the JSON of `make`, because serializing is most of a delivery. */
  readonly variant: string
  /** Several where the client gets one for each of what the log has together; no more than the event's width. */
  make(): Event | readonly Event[]
  /** What is the recipient's own, put behind the shared fields. */
  readonly own?: Readonly<Record<string, unknown>>
}

/** Undefined: this queue's client does not get the event. */
export type Adapter<LogEventOfType> = (event: LogEventOfType, recipient: Recipient) => Adapted | undefined

/** For an event that looks the same to everybody. */
export function asItIs(event: Event): Adapted {
  return { variant: '', make: () => event }
}
