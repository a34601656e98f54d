import { FLAG } from '../../domain/flags.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/roles.ts'
import { topicKey } from '../../domain/text-keys.ts'
import { VISIBILITY } from '../../domain/topic-visibility.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../domain/topics.ts'
import { placeholders } from '../dialect.ts'
import { receivedInChannel } from '../received.ts'
import type { SqlValue } from '../session.ts'
import type { HasOperand, IsOperand, ResolvedNarrow, ResolvedTerm, Viewer } from './resolved-narrow.ts'

/** A condition on the message `m`. */
export interface Condition {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/** `m` is in a channel that the viewer may read now. @param openedIds private channels that are open to them by groups */
export function readable(viewer: Viewer, openedIds: readonly ChannelId[] = []): Condition {
  const open =
    viewer.role === ROLE.guest
      ? ''
      : 'or exists (select 1 from channel c where c.id = m.channel_id and c.invite_only = 0)'
  const opened = openedIds.length === 0 ? '' : `or m.channel_id in ${placeholders(openedIds.length)}`
  return {
    sql: `(exists (select 1 from subscription b where b.user_id = ? and b.channel_id = m.channel_id and b.is_active = 1)
      ${open} ${opened})`,
    params: [viewer.id, ...openedIds],
  }
}

/** Received at its time, or marked since, in a channel that the viewer may read now or in a conversation of theirs. */
export function received(viewer: Viewer, openedIds?: readonly ChannelId[]): Condition {
  const isReadable = readable(viewer, openedIds)
  return {
    sql: `(m.direct_group_id in (select g.group_id from direct_group_member g where g.user_id = ?)
      or (m.channel_id is not null and (${receivedInChannel('?')} or exists (select 1 from message_flag h
        where h.user_id = ? and h.message_id = m.id and (h.flags & ${FLAG.historical}) <> 0)) and ${isReadable.sql}))`,
    params: [viewer.id, viewer.id, viewer.id, ...isReadable.params],
  }
}

/** What the terms say that a database can decide; `is:unread` and searches are decided after it (narrow-query.ts). */
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

/** What leads to the messages of a narrow in the order of their ids, or at least to few of them. */
export type Lead =
  /** An index that is in the order of ids, or a short list. */
  | { readonly by: 'index' }
  /** The index of a flag that few messages have. */
  | { readonly by: 'flag'; readonly index: string }
  | { readonly by: 'reactions' }
  /** Topics or conversations, each with its messages in order, but not all of them together. */
  | { readonly by: 'lists'; readonly column: 'topic_id' | 'direct_group_id'; readonly list: Condition }
  | { readonly by: 'nothing' }

export function leadOf(narrow: ResolvedNarrow, viewer: Viewer): Lead {
  const positive = narrow.terms.filter((term) => !term.negated)
  const isThere = (...kinds: ResolvedTerm['kind'][]) => positive.some((term) => kinds.includes(term.kind))
  const is = (...operands: IsOperand[]) => positive.some((term) => term.kind === 'is' && operands.includes(term.what))
  const has = (...operands: HasOperand[]) =>
    positive.flatMap((term) => (term.kind === 'has' && operands.includes(term.what) ? [term.what] : []))[0]
  if (isThere('id', 'dm', 'mentions') || is('starred', 'alerted', 'mentioned')) return { by: 'index' }
  const file = has('image', 'attachment')
  if (file) return { by: 'flag', index: `message_has_${file}_index` }
  if (isThere('channel', 'sender')) return { by: 'index' }
  if (has('reaction')) return { by: 'reactions' }
  if (has('link')) return { by: 'flag', index: 'message_has_link_index' }
  for (const term of positive) {
    const list = listOf(term, narrow, viewer)
    if (list) return { by: 'lists', ...list }
  }
  return { by: 'nothing' }
}

/** Ids of topics or conversations, each once, as rows with a column `id`: a message is in one of them when it meets the term. */
function listOf(
  term: ResolvedTerm,
  narrow: ResolvedNarrow,
  viewer: Viewer,
): { column: 'topic_id' | 'direct_group_id'; list: Condition } | undefined {
  switch (term.kind) {
    case 'topic':
      return { column: 'topic_id', list: topicsNamed(term.topic, narrow) }
    case 'dm-including':
      return { column: 'direct_group_id', list: { sql: GROUPS_OF, params: [term.userId] } }
    case 'group-dm-with':
      return { column: 'direct_group_id', list: { sql: LARGE_GROUPS_OF, params: [term.userId] } }
    case 'is':
      return listOfState(term.what, viewer)
    default:
      return undefined
  }
}

function listOfState(
  what: IsOperand,
  viewer: Viewer,
): { column: 'topic_id' | 'direct_group_id'; list: Condition } | undefined {
  switch (what) {
    case 'dm':
      return { column: 'direct_group_id', list: { sql: GROUPS_OF, params: [viewer.id] } }
    case 'resolved':
      return { column: 'topic_id', list: { sql: RESOLVED_TOPICS, params: [RESOLVED_TOPIC_PREFIX] } }
    case 'followed':
      return { column: 'topic_id', list: { sql: FOLLOWED_TOPICS, params: [viewer.id] } }
    case 'muted':
      return { column: 'topic_id', list: mutedTopics(viewer) }
    default:
      return undefined
  }
}

/** Where a term leads to an index, the plain column; where it is negated, nulls must be found too. */
function termCondition(term: ResolvedTerm, narrow: ResolvedNarrow, viewer: Viewer): Condition | undefined {
  const column = (name: string): string => (term.negated ? `coalesce(m.${name}, 0)` : `m.${name}`)
  switch (term.kind) {
    case 'channel':
      return { sql: `${column('channel_id')} = ?`, params: [term.channelId] }
    case 'channels': {
      const flag = term.which === 'public' ? 'c.invite_only = 0' : 'c.is_web_public = 1'
      return { sql: `${column('channel_id')} in (select c.id from channel c where ${flag})`, params: [] }
    }
    case 'topic':
    case 'dm-including':
    case 'group-dm-with':
      return listed(listOf(term, narrow, viewer), column)
    case 'dm':
      return { sql: `${column('direct_group_id')} = ?`, params: [term.groupId ?? -1] }
    case 'sender':
      return { sql: 'm.sender_id = ?', params: [term.userId] }
    case 'mentions':
      return mentionsCondition(term.userId)
    case 'id':
      return { sql: 'm.id = ?', params: [term.messageId] }
    case 'is':
      return isCondition(term.what, column, viewer)
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

function listed(found: ReturnType<typeof listOf>, column: (name: string) => string): Condition | undefined {
  return found && { sql: `${column(found.column)} in (${found.list.sql})`, params: found.list.params }
}

const GROUPS_OF = 'select g.group_id as id from direct_group_member g where g.user_id = ?'
const LARGE_GROUPS_OF = `${GROUPS_OF} and (select count(*) from direct_group_member o where o.group_id = g.group_id) > 2`

function topicsNamed(topic: string, narrow: ResolvedNarrow): Condition {
  const channel = narrow.terms.find((one) => one.kind === 'channel' && !one.negated)
  return channel?.kind === 'channel'
    ? {
        sql: 'select t.id from topic t where t.channel_id = ? and t.topic_key = ?',
        params: [channel.channelId, topicKey(topic)],
      }
    : { sql: 'select t.id from topic t where t.topic_key = ?', params: [topicKey(topic)] }
}

/** By name and visibly: groups and wildcards set the same flag, and their markup is another. */
function mentionsCondition(userId: UserId): Condition {
  return {
    sql: `${flaggedBy(FLAG.mentioned)} and instr(m.rendered_content, ?) > 0`,
    params: [userId, `<span class="user-mention" data-user-id="${userId}">`],
  }
}

function flaggedBy(flags: number): string {
  return `m.id in (select f.message_id from message_flag f where f.user_id = ? and (f.flags & ${flags}) <> 0)`
}

function isCondition(what: IsOperand, column: (name: string) => string, viewer: Viewer): Condition | undefined {
  switch (what) {
    case 'dm':
    case 'resolved':
    case 'followed':
    case 'muted':
      return listed(listOfState(what, viewer), column)
    case 'starred':
      return { sql: flaggedBy(FLAG.starred), params: [viewer.id] }
    case 'alerted':
      return { sql: flaggedBy(FLAG.has_alert_word), params: [viewer.id] }
    case 'mentioned': {
      return {
        sql: `m.id in (select f.message_id from message_flag f where f.user_id = ?
            and (f.flags & ${FLAG.mentioned | FLAG.topic_wildcard_mentioned}) <> 0
          union all select w.id from message w where w.mentions_channel = 1
            and (w.direct_group_id in (${GROUPS_OF}) or ${receivedInChannel('?', 'w')}))`,
        params: [viewer.id, viewer.id, viewer.id],
      }
    }
    case 'unread':
      return undefined
    default:
      return what satisfies never
  }
}

const RESOLVED_TOPICS = `select t.id from topic t where substr(t.name, 1, ${RESOLVED_TOPIC_PREFIX.length}) = ?`

const TOPICS_WITH = `select t.id from user_topic u join topic t on t.channel_id = u.channel_id and t.topic_key = u.topic_key
  where u.user_id = ? and u.visibility_policy`
const FOLLOWED_TOPICS = `${TOPICS_WITH} = ${VISIBILITY.followed}`

/** Topics that are muted, and those of muted channels that are neither unmuted nor followed. */
function mutedTopics(viewer: Viewer): Condition {
  return {
    sql: `${TOPICS_WITH} = ${VISIBILITY.muted}
      union select t.id from subscription s join topic t on t.channel_id = s.channel_id
        where s.user_id = ? and s.is_active = 1 and s.is_muted = 1 and not exists (select 1 from user_topic v
          where v.user_id = s.user_id and v.channel_id = t.channel_id and v.topic_key = t.topic_key
            and v.visibility_policy in (${VISIBILITY.unmuted}, ${VISIBILITY.followed}))`,
    params: [viewer.id, viewer.id],
  }
}

function unmuted(viewer: Viewer): Condition {
  const { sql, params } = mutedTopics(viewer)
  return { sql: `coalesce(m.topic_id, 0) not in (${sql})`, params }
}

const HAS: Readonly<Record<HasOperand, Condition>> = {
  attachment: { sql: 'm.has_attachment = 1', params: [] },
  image: { sql: 'm.has_image = 1', params: [] },
  link: { sql: 'm.has_link = 1', params: [] },
  reaction: { sql: 'exists (select 1 from reaction e where e.message_id = m.id)', params: [] },
}

/**
 * For the oldest unread message: what is muted is skipped, but not what the narrow names (facts/narrow.md, "first_unread").
 * @returns undefined where nothing is to be skipped, as in conversations
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
  return { sql: `coalesce(m.topic_id, 0) not in (${TOPICS_WITH} = ${VISIBILITY.muted})`, params: [viewer.id] }
}
