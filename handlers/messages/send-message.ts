import { type Destination, sendMessage as send } from '../../actions/messages/send-message.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { normalizeContent } from '../../domain/messages/message-content.ts'
import { widgetOf } from '../../domain/messages/widgets.ts'
import { normalizeTopicToSendTo } from '../../domain/topics/topics.ts'
import { isInteractive } from '../../domain/users/client-names.ts'
import type { Input } from '../../generated/operations.ts'
import type { Handler } from '../handler.ts'

/** POST /messages. */
export const sendMessage: Handler<'send-message'> = async (services) => {
  const { input, actor: caller, write, client, renderToSend } = services
  const { queue_id: queueId, local_id: localId } = input
  const content = normalizeContent(input.content)
  const destination = destinationOf(input)
  if (input.widget_content && !caller.isBot) throw new BadRequestError('widget_content can be sent by bots only')
  const request = {
    destination,
    ...(await renderToSend(content)),
    client,
    isReadBySender: input.read_by_sender ?? isInteractive(client),
    widget: input.widget_content ?? widgetOf(content),
    local: queueId === undefined || localId === undefined ? undefined : { queueId, localId },
  }
  const { id, newVisibility } = await write((tx, actor) => send(tx, actor, request))
  return { id, ...(newVisibility !== undefined && { automatic_new_visibility_policy: newVisibility }) }
}

function destinationOf({ type, to, topic }: Input<'send-message'>): Destination {
  if (type === 'direct' || type === 'private') return { kind: 'direct', recipients: directRecipients(to) }
  if (topic === undefined) throw new BadRequestError('Missing topic')
  const normalized = normalizeTopicToSendTo(topic)
  return { kind: 'channel', channel: channelOf(to), topic: normalized }
}

/** Older clients send a list with one name. */
function channelOf(to: Input<'send-message'>['to']): ChannelId | string {
  const [channel, ...others] = typeof to === 'object' ? to : [to]
  if (channel === undefined || others.length > 0) throw new BadRequestError('Expected exactly one channel')
  return channel as ChannelId | string
}

/** Addresses may also come as one string with commas. */
function directRecipients(to: Input<'send-message'>['to']): readonly (number | string)[] {
  if (typeof to === 'object') return to
  if (typeof to === 'number') return [to]
  return to
    .split(',')
    .map((email) => email.trim())
    .filter((email) => email !== '')
}
