import { BadRequestError } from '../errors.ts'
import { ascending } from '../ids.ts'
import { normalizeTopicToSendTo } from '../topics/topics.ts'
import type { ScheduledDestination } from './scheduled-message.ts'

type Kind = ScheduledDestination['kind']

/** Accepts present and former names of the kinds. */
export function givenKind(type: 'direct' | 'private' | 'channel' | 'stream'): Kind {
  return type === 'direct' || type === 'private' ? 'direct' : 'channel'
}

/** @throws {BadRequestError} if `to` or the topic does not fit the kind */
export function givenDestination(kind: Kind, to: number | readonly number[], topic: string): ScheduledDestination {
  if (kind === 'channel') {
    if (typeof to !== 'number') throw new BadRequestError('Invalid data type for channel ID')
    return { kind, channelId: to, topic: normalizeTopicToSendTo(topic) }
  }
  if (typeof to === 'number') throw new BadRequestError('Invalid data type for recipients')
  return { kind, userIds: ascending([...new Set(to)]) }
}
