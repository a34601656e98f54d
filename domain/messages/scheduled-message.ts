import type { Schemas } from '../../generated/operations.ts'

/** A message to be sent at a given time. */
export interface ScheduledMessage {
  readonly id: number
  readonly destination: ScheduledDestination
  readonly content: string
  /** HTML at the time of scheduling. The content is rendered again when it is sent. */
  readonly renderedContent: string
  /** UNIX seconds. */
  readonly deliverAt: number
  /** Whether sending failed; the owner may choose another time. */
  readonly hasFailed: boolean
  readonly isReadBySender: boolean
  /** Name of the sending program. */
  readonly client: string
}

export type ScheduledDestination =
  /** @param topic in stored form: normalized, '' for the empty topic */
  | { readonly kind: 'channel'; readonly channelId: number; readonly topic: string }
  /** @param userIds ascending, as given */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }

export function toWireScheduledMessage(scheduled: ScheduledMessage): Schemas['ScheduledMessage'] {
  const { id, destination, content, renderedContent, deliverAt, hasFailed } = scheduled
  return {
    scheduled_message_id: id,
    ...(destination.kind === 'channel'
      ? { type: 'stream', to: destination.channelId, topic: destination.topic }
      : { type: 'private', to: [...destination.userIds] }),
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: deliverAt,
    failed: hasFailed,
  }
}
