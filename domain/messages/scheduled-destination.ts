import { accepted } from '../checked.ts'
import { BadRequestError } from '../errors.ts'
import { ascending } from '../ids.ts'
import { normalizeTopicToSendTo } from '../topics/topics.ts'
import type { ScheduledDestination } from './scheduled-message.ts'

type Kind = ScheduledDestination['kind']

/** What a client calls the kind, now or formerly. */
export function givenKind(type: 'direct' | 'private' | 'channel' | 'stream'): Kind {
  return type === 'direct' || type === 'private' ? 'direct' : 'channel'
}

/** @throws {BadRequestError} where `to` is not what this kind takes, or the topic is none */
export function givenDestination(kind: Kind, to: number | readonly number[], topic: string): ScheduledDestination {
  if (kind === 'channel') {
    if (typeof to !== 'number') throw new BadRequestError('Invalid data type for channel ID')
    return { kind, channelId: to, topic: accepted(normalizeTopicToSendTo(topic)) }
  }
  if (typeof to === 'number') throw new BadRequestError('Invalid data type for recipients')
  return { kind, userIds: ascending([...new Set(to)]) }
}
