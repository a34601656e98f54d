import { addOwnRow } from '../../actions/own-rows.ts'
import { checkSending, requireFuture, SCHEDULED_MESSAGES } from '../../actions/scheduled-messages.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { normalizeContent } from '../../domain/messages/message-content.ts'
import { givenDestination, givenKind } from '../../domain/messages/scheduled-destination.ts'
import { isInteractive } from '../../domain/users/client-names.ts'
import type { Handler } from '../handler.ts'

/** POST /scheduled_messages. Users who cannot send it there now cannot schedule it either. */
export const createScheduledMessage: Handler<'create-scheduled-message'> = async (services) => {
  const { input, write, client, render } = services
  const content = normalizeContent(input.content)
  if (givenKind(input.type) === 'channel' && input.topic === undefined) throw new BadRequestError('Missing topic')
  const destination = givenDestination(givenKind(input.type), input.to, input.topic ?? '')
  const rendered = await render(content)
  const given = {
    destination,
    content,
    renderedContent: rendered.html,
    deliverAt: input.scheduled_delivery_timestamp,
    hasFailed: false,
    isReadBySender: input.read_by_sender ?? isInteractive(client),
    client,
  }
  const { id } = await write(async (tx, actor) => {
    await checkSending(tx, actor, destination, rendered)
    requireFuture(tx, given.deliverAt)
    return addOwnRow(tx, actor.id, SCHEDULED_MESSAGES, given)
  })
  return { scheduled_message_id: id }
}
