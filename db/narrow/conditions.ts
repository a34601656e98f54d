import type { ChannelId, UserId } from '../../domain/ids.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import { topicKey } from '../../domain/text/text-keys.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../domain/topics/topics.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { placeholders } from '../dialect.ts'
import { receivedInChannel } from '../read-state/received.ts'
import type { SqlValue } from '../session.ts'
import type { HasOperand, IsOperand, ResolvedNarrow, ResolvedTerm, Viewer } from './resolved-narrow.ts'

/** An SQL condition on the message `m`. */
export interface Condition {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/**
 * `m` is in a channel that the viewer may read now. @param openedIds private channels that groups let the viewer read
 */
function readable(viewer: Viewer, openedIds: readonly ChannelId[] = []): Condition {
  // Comes first, because it is faster and decides about most messages.
  const open =
    viewer.role === ROLE.guest
      ? ''
      : 'exists (select 1 from channel c where c.id = m.channel_id and c.invite_only = 0) or'
  const opened = openedIds.length === 0 ? '' : `or m.channel_id in ${placeholders(openedIds.length)}`
  return {
    sql: `(${open} exists (select 1 from subscription b
        where b.user_id = ? and b.channel_id = m.channel_id and b.is_active = 1) ${opened})`,
    params: [viewer.id, ...openedIds],
  }
}

/**
 * The viewer received the message when it was sent, or has flagged it since, in a channel that the viewer may read now
 * or in one of the viewer's conversations.
 */
export function received(viewer: Viewer, openedIds?: readonly ChannelId[]): Condition {
  const isReadable = readable(viewer, openedIds)
  const inConversation = ofConversation({ sql: MEMBER, params: [viewer.id] })
  return {
    sql: `((m.channel_id is null and ${inConversation.sql})
      or (m.channel_id is not null and (${receivedInChannel('?')} or exists (select 1 from message_flag h
        where h.user_id = ? and h.message_id = m.id and (h.flags & ${FLAG.historical}) <> 0)) and ${isReadable.sql}))`,
    params: [...inConversation.params, viewer.id, viewer.id, ...isReadable.params],
  }
}

/**
 * The part of the terms that a database can decide; `is:unread` and searches are decided afterwards (narrow-query.ts).
 */
export function termsCondition(narrow: ResolvedNarrow, viewer: Viewer): Condition {
  const conditions = narrow.terms.flatMap((term) => {
    const condition = termCondition(term, narrow, viewer)
    if (!condition) return []
    return [term.negated ? { sql: `not (${condition.sql})`, params: condition.params } : condition]
  })
  return together(conditions)
}

export function together(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' and ') || '1 = 1',
    params: conditions.flatMap(({ params }) => params),
  }
}

/**
 * A condition on one message, by index look-ups. A list made for each statement could be as long as its owner wants,
 * even if the statement looks at few messages.
 */
function termCondition(term: ResolvedTerm, narrow: ResolvedNarrow, viewer: Viewer): Condition | undefined {
  // `not` of a comparison with null selects nothing.
  const column = (name: string): string => (term.negated ? `coalesce(m.${name}, 0)` : `m.${name}`)
  switch (term.kind) {
    case 'channel':
      return { sql: `${column('channel_id')} = ?`, params: [term.channelId] }
    case 'channels': {
      const flag = term.which === 'public' ? 'c.invite_only = 0' : 'c.is_web_public = 1'
      return { sql: `exists (select 1 from channel c where c.id = m.channel_id and ${flag})`, params: [] }
    }
    case 'topic':
      return ofTopic(topicNamed(term.topic, narrow))
    case 'dm-including':
      return ofConversation({ sql: MEMBER, params: [term.userId] })
    case 'group-dm-with':
      return ofConversation({ sql: `${MEMBER} and ${IS_LARGE_GROUP}`, params: [term.userId] })
    case 'dm':
      return { sql: `${column('direct_group_id')} = ?`, params: [term.groupId ?? -1] }
    case 'sender':
      return { sql: 'm.sender_id = ?', params: [term.userId] }
    case 'mentions':
      return mentionsCondition(term.userId)
    case 'id':
      return { sql: 'm.id = ?', params: [term.messageId] }
    case 'is':
      return isCondition(term.what, viewer)
    case 'has':
      return HAS[term.what]
    case 'in-home':
      return unmuted(viewer)
    case 'search':
      return undefined
    default:
      return term satisfies never
  }
}

const MEMBER = 'g.user_id = ?'
/** The conversation of the row `g` has more than two members. */
export const IS_LARGE_GROUP = '(select count(*) from direct_group_member o where o.group_id = g.group_id) > 2'

function ofConversation({ sql, params }: Condition): Condition {
  return {
    sql: `exists (select 1 from direct_group_member g where g.group_id = m.direct_group_id and ${sql})`,
    params,
  }
}

function ofTopic({ sql, params }: Condition): Condition {
  return { sql: `exists (select 1 from topic t where t.id = m.topic_id and ${sql})`, params }
}

/** The row `t` is a spelling of the topic, in the channel of the narrow if it names one. */
export function topicNamed(topic: string, narrow: ResolvedNarrow): Condition {
  const channel = narrow.terms.find((one) => one.kind === 'channel' && !one.negated)
  return channel?.kind === 'channel'
    ? { sql: 't.channel_id = ? and t.topic_key = ?', params: [channel.channelId, topicKey(topic)] }
    : { sql: 't.topic_key = ?', params: [topicKey(topic)] }
}

/** Mentioned by name and not silently. Groups and wildcards set the same flag with another markup. */
function mentionsCondition(userId: UserId): Condition {
  return {
    sql: `${flaggedBy(FLAG.mentioned)} and instr(m.rendered_content, ?) > 0`,
    params: [userId, `<span class="user-mention" data-user-id="${userId}">`],
  }
}

function flaggedBy(flags: number): string {
  return `exists (select 1 from message_flag f where f.user_id = ? and f.message_id = m.id and (f.flags & ${flags}) <> 0)`
}

function isCondition(what: IsOperand, viewer: Viewer): Condition | undefined {
  switch (what) {
    case 'dm':
      return ofConversation({ sql: MEMBER, params: [viewer.id] })
    case 'resolved':
      return ofTopic(IS_RESOLVED)
    case 'followed':
      return ofTopic({ sql: `${POLICY} = ${VISIBILITY.followed}`, params: [viewer.id] })
    case 'muted':
      return muted(viewer)
    case 'starred':
      return { sql: flaggedBy(FLAG.starred), params: [viewer.id] }
    case 'alerted':
      return { sql: flaggedBy(FLAG.has_alert_word), params: [viewer.id] }
    case 'mentioned': {
      const inConversation = ofConversation({ sql: MEMBER, params: [viewer.id] })
      return {
        sql: `(${flaggedBy(FLAG.mentioned | FLAG.topic_wildcard_mentioned)}
          or (m.mentions_channel = 1 and (${inConversation.sql} or ${receivedInChannel('?')})))`,
        params: [viewer.id, ...inConversation.params, viewer.id],
      }
    }
    case 'unread':
      return undefined
    default:
      return what satisfies never
  }
}

/** Resolved topics by the name of the row `t`. Not by `=`, for which MariaDB ignores trailing spaces. */
export const IS_RESOLVED: Condition = {
  sql: 't.name like ?',
  params: [`${RESOLVED_TOPIC_PREFIX}%`],
}

/** The user's policy for the topic `t`; 0 without one. Takes the user's ID. */
const POLICY = `coalesce((select u.visibility_policy from user_topic u
    where u.user_id = ? and u.channel_id = t.channel_id and u.topic_key = t.topic_key), 0)`

/** The message is in a muted topic, or in a muted channel under a topic that is neither unmuted nor followed. */
function muted(viewer: Viewer): Condition {
  return ofTopic({
    sql: `case ${POLICY} when ${VISIBILITY.muted} then 1 when ${VISIBILITY.none} then exists (select 1
      from subscription s where s.user_id = ? and s.channel_id = t.channel_id and s.is_active = 1 and s.is_muted = 1)
      else 0 end = 1`,
    params: [viewer.id, viewer.id],
  })
}

function unmuted(viewer: Viewer): Condition {
  const { sql, params } = muted(viewer)
  return { sql: `not ${sql}`, params }
}

const HAS: Readonly<Record<HasOperand, Condition>> = {
  attachment: { sql: 'm.has_attachment = 1', params: [] },
  image: { sql: 'm.has_image = 1', params: [] },
  link: { sql: 'm.has_link = 1', params: [] },
  reaction: { sql: 'exists (select 1 from reaction e where e.message_id = m.id)', params: [] },
}

/**
 * For the oldest unread message: skips muted messages, but not what the narrow names.
 *
 * @returns undefined if nothing is to be skipped, as in conversations
 */
export function withoutMuted({ terms }: ResolvedNarrow, viewer: Viewer): Condition | undefined {
  const isNamed = (...kinds: ResolvedTerm['kind'][]) => terms.some((term) => !term.negated && kinds.includes(term.kind))
  if (
    isNamed('dm', 'dm-including', 'group-dm-with', 'topic') ||
    terms.some((one) => !one.negated && one.kind === 'is' && one.what === 'dm')
  ) {
    return undefined
  }
  if (!isNamed('channel')) return unmuted(viewer)
  const { sql, params } = ofTopic({ sql: `${POLICY} = ${VISIBILITY.muted}`, params: [viewer.id] })
  return { sql: `not ${sql}`, params }
}
