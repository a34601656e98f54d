import type { MessageId, UserId } from '../ids.ts'

/** Data of a message's widget. The first submessage is the widget itself; the others are additions by users. */
export interface Submessage {
  readonly id: number
  readonly messageId: MessageId
  readonly senderId: UserId
  readonly msgType: string
  /** JSON text. */
  readonly content: string
}

/** The Submessage object of the API (SUBMSG-1 to SUBMSG-5). */
export function toWireSubmessage({ id, messageId, senderId, msgType, content }: Submessage) {
  return {
    id,
    message_id: messageId as number,
    sender_id: senderId as number,
    msg_type: msgType,
    content,
  }
}
