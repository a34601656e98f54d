import { ownRow, refuseUnknown, replaceOwn } from '../../actions/own-rows.ts'
import { checkSending, requireFuture, SCHEDULED_MESSAGES } from '../../actions/scheduled-messages.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { normalizeContent } from '../../domain/messages/message-content.ts'
import { givenDestination, givenKind } from '../../domain/messages/scheduled-destination.ts'
import type { ScheduledDestination } from '../../domain/messages/scheduled-message.ts'
import type { Input } from '../../generated/operations.ts'
import type { Handler } from '../handler.ts'

/**
 * PATCH /scheduled_messages/{scheduled_message_id}: absent fields stay. A failed message waits again, and needs a new
 * time.
 */
export const updateScheduledMessage: Handler<'update-scheduled-message'> = async (services) => {
  const { input, actor: caller, write, db, render } = services
  const { scheduled_message_id: id, scheduled_delivery_timestamp: deliverAt } = input
  const known = (await db.read.scheduledMessages.get(caller.id, id)) ?? refuseUnknown(SCHEDULED_MESSAGES)
  if ([input.type, input.to, input.topic, input.content, deliverAt].every((given) => given === undefined)) {
    throw new BadRequestError('Nothing to change')
  }
  const content = input.content === undefined ? undefined : normalizeContent(input.content)
  // Also a text that stays may mention somebody whom it may not mention now or there.
  const rendered = await render(content ?? known.content)
  await write(async (tx, actor) => {
    const before = await ownRow(tx, actor.id, SCHEDULED_MESSAGES, id)
    const destination = changedDestination(before.destination, input)
    await checkSending(tx, actor, destination, rendered)
    const after = {
      ...before,
      destination,
      ...(content !== undefined && { content, renderedContent: rendered.html }),
      deliverAt: deliverAt ?? before.deliverAt,
      hasFailed: false,
    }
    requireFuture(tx, after.deliverAt)
    await replaceOwn(tx, actor.id, SCHEDULED_MESSAGES, after)
  })
  return {}
}

/** @throws {BadRequestError} if the change lacks what the new kind needs */
function changedDestination(
  before: ScheduledDestination,
  { type, to, topic }: Input<'update-scheduled-message'>,
): ScheduledDestination {
  if (type !== undefined && to === undefined) {
    throw new BadRequestError('Recipient required when updating type of scheduled message.')
  }
  const kind = type === undefined ? before.kind : givenKind(type)
  const topicBefore = before.kind === 'channel' ? before.topic : undefined
  if (kind === 'channel' && (topic ?? topicBefore) === undefined) {
    throw new BadRequestError('Topic required when updating scheduled message type to channel.')
  }
  const toBefore = before.kind === 'channel' ? before.channelId : before.userIds
  return givenDestination(kind, to ?? toBefore, topic ?? topicBefore ?? '')
}
