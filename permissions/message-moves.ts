import { accepted } from '../domain/checked.ts'
import { BadRequestError, UnsupportedParameterError } from '../domain/errors.ts'
import type { Message } from '../domain/messages/message.ts'
import { normalizeTopicToSendTo } from '../domain/topics/topics.ts'
import type { Input } from '../generated/operations.ts'

type Move = Pick<Input<'update-message'>, 'content' | 'topic' | 'stream_id' | 'propagate_mode'>

/**
 * Messages stay where they are: whatever would move one is refused, the place that it has is accepted, because clients
 * send it along with a new content.
 *
 * @throws {BadRequestError} for what no message can do (MSG-EDIT-3, 15, 27, 28); {UnsupportedParameterError} for a move
 */
export function refuseMove({ place }: Pick<Message, 'place'>, wanted: Move): void {
  const { content, topic, stream_id: channelId, propagate_mode: mode } = wanted
  if (place.kind !== 'channel') {
    if (channelId !== undefined) throw new BadRequestError('Direct messages cannot be moved to channels.')
    if (topic !== undefined) throw new BadRequestError('Direct messages cannot have topics.')
  }
  if (mode !== 'change_one' && topic === undefined && channelId === undefined)
    throw new BadRequestError('Invalid propagate_mode without topic edit')
  if (channelId !== undefined && content !== undefined)
    throw new BadRequestError('Cannot change message content while changing channel')
  if (place.kind !== 'channel') return
  if (channelId !== undefined && channelId !== place.channelId) throw new UnsupportedParameterError('stream_id')
  if (topic !== undefined && !isTopic(topic, place.topic)) throw new UnsupportedParameterError('topic')
}

/** @throws {BadRequestError} when nothing could be a topic of this name */
function isTopic(wanted: string, present: string): boolean {
  const topic = accepted(normalizeTopicToSendTo(wanted))
  return topic === present
}
