import { BadRequestError } from '../errors.ts'
import { cutTo } from '../text/code-points.ts'
import { MAX_TOPIC_LENGTH } from '../topics/topics.ts'
import type { Message } from './message.ts'
import { silentMention, withQuote, wroteWhere } from './quoted-message.ts'

/** Reasons for reporting messages: the values that clients send, and the texts that they show. */
const REASONS = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Against the rules of the organization',
  other: 'Another reason',
} as const

export type ReportReason = keyof typeof REASONS

/** `server_report_message_types`. */
export const REPORT_MESSAGE_TYPES = Object.entries(REASONS).map(([key, name]) => ({ key, name }))

/** Maximum number of members of a conversation who are named. Further ones are only counted. */
const MAX_NAMES = 10

export interface Report {
  readonly reason: ReportReason
  /** Markdown; empty for none. */
  readonly description: string
}

/** @throws {BadRequestError} for "other" without an explanation */
export function reportOf(reason: ReportReason, given = ''): Report {
  const description = given.toWellFormed().trim()
  if (reason === 'other' && description === '')
    throw new BadRequestError('description is missing: it says what the reason is')
  return { reason, description }
}

/** Reports about one sender share a topic. */
export function reportTopic({ sender }: Message): string {
  return cutTo(`Reports of ${sender.fullName}`, MAX_TOPIC_LENGTH, '…')
}

/** Returns the Markdown that the notification bot sends. Texts of others are quoted, so that they mention nobody. */
export function reportContent(message: Message, reporter: { fullName: string; id: number }, report: Report): string {
  const { reason, description } = report
  const to = membersOf(message)
  const head = `${silentMention(reporter)} reported what ${silentMention(message.sender)} ${wroteWhere(message)}${to}.`
  const why = `${head}\n\nReason: **${REASONS[reason]}**`
  return withQuote(`${description === '' ? why : withQuote(why, description)}\n\nThe message:`, message.content)
}

/** Moderators cannot look into a conversation to see its members. */
function membersOf({ place, sender }: Message): string {
  if (place.kind === 'channel') return ''
  const others = place.members.filter(({ id }) => id !== sender.id)
  if (others.length === 0) return ' to themselves'
  const names = others.slice(0, MAX_NAMES).map(silentMention).join(', ')
  return ` to ${names}${others.length > MAX_NAMES ? ` and ${others.length - MAX_NAMES} more` : ''}`
}
