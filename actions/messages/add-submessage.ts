import type { Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import { checkAddition, checkWidget } from '../../domain/messages/widgets.ts'
import { accessMessageToChange } from '../../permissions/access-message.ts'
import type { Actor } from '../../permissions/actor.ts'
import { changeVisibilityByTakingPart } from './automatic-visibility.ts'
import { messageAudience } from './message-audience.ts'

/** Limits for one message, because every reader of the message gets all of them. */
const MAX_SUBMESSAGES = 10_000
const MAX_CHARACTERS = 1_000_000

export interface Addition {
  readonly messageId: MessageId
  readonly msgType: string
  /** The JSON text and its parsed value. */
  readonly content: string
  readonly parsed: unknown
}

/**
 * Adds to the widget of a message. The first submessage defines the widget, and only the sender may add it.
 *
 * @throws {InvalidMessageError} {BadRequestError} with the reason
 */
export async function addToWidget(tx: Tx, actor: Actor, addition: Addition): Promise<void> {
  const viewed = await accessMessageToChange(tx, actor, addition.messageId)
  const { id, sender, submessages } = viewed.message
  const isAuthor = sender.id === actor.id
  const [widget] = submessages
  if (!widget && !isAuthor) throw new BadRequestError('You cannot attach a submessage to this message.')
  const characters = submessages.reduce((sum, one) => sum + one.content.length, addition.content.length)
  if (submessages.length >= MAX_SUBMESSAGES || characters > MAX_CHARACTERS) {
    throw new BadRequestError('Nothing more can be added to this message')
  }
  if (!widget) checkWidget(addition.parsed)
  else checkAddition((JSON.parse(widget.content) as { widget_type: string }).widget_type, addition.parsed, isAuthor)
  const { msgType, content } = addition
  const added = await tx.submessages.insert({ messageId: id, senderId: actor.id, msgType, content })
  await changeVisibilityByTakingPart(tx, actor, viewed)
  tx.events.append(
    {
      type: 'submessage',
      msg_type: msgType,
      content,
      message_id: id,
      sender_id: actor.id,
      submessage_id: added.id,
    },
    await messageAudience(tx, viewed),
  )
}
