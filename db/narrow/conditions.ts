import { FLAG } from '../../domain/flags.ts'
import type { UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/roles.ts'
import { topicKey } from '../../domain/text-keys.ts'
import { VISIBILITY } from '../../domain/topic-visibility.ts'
import { RESOLVED_TOPIC_PREFIX } from '../../domain/topics.ts'
import type { SqlValue } from '../session.ts'
import type { HasOperand, IsOperand, ResolvedNarrow, ResolvedTerm, Viewer } from './resolved-narrow.ts'

/** A condition on the message `m`. */
export interface Condition {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/** `m` is in a channel that the viewer may read now, or in a conversation. */
export function readable(viewer: Viewer): Condition {
  const open =
    viewer.role === ROLE.guest
      ? ''
      : 'or exists (select 1 from channel c where c.id = m.channel_id and c.invite_only = 0)'
  return {
    sql: `(exists (select 1 from subscription b where b.user_id = ? and b.channel_id = m.channel_id and b.is_active = 1)
      ${open})`,
    params: [viewer.id],
  }
}

/** The message, by its name in the statement, was sent to a channel while the viewer was subscribed. */
function receivedInChannel(viewer: Viewer, message = 'm'): Condition {
  return {
    sql: `exists (select 1 from subscription_span p where p.user_id = ? and p.channel_id = ${message}.origin_channel_id
      and p.after_message_id < ${message}.id and (p.to_message_id is null or p.to_message_id >= ${message}.id))`,
    params: [viewer.id],
  }
}

/** Received at its time, or marked since, in a channel that the viewer may read now or in a conversation of theirs. */
export function received(viewer: Viewer): Condition {
  const inChannel = receivedInChannel(viewer)
  const isReadable = readable(viewer)
  return {
    sql: `(m.direct_group_id in (select g.group_id from direct_group_member g where g.user_id = ?)
      or (m.channel_id is not null and (${inChannel.sql} or exists (select 1 from message_flag h
        where h.user_id = ? and h.message_id = m.id and (h.flags & ${FLAG.historical}) <> 0)) and ${isReadable.sql}))`,
    params: [viewer.id, ...inChannel.params, viewer.id, ...isReadable.params],
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

/** Whether an index leads to the messages of the term, which are then few. */
export function hasIndex(term: ResolvedTerm): boolean {
  if (term.negated) return false
  switch (term.kind) {
    case 'has':
    case 'in-home':
    case 'channels':
      return false
    case 'is':
      return !['muted', 'resolved'].includes(term.what)
    default:
      return true
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
      return topicCondition(term.topic, column('topic_id'), narrow)
    case 'dm':
      return { sql: `${column('direct_group_id')} = ?`, params: [term.groupId ?? -1] }
    case 'dm-including':
      return { sql: `${column('direct_group_id')} in (${GROUPS_OF})`, params: [term.userId] }
    case 'group-dm-with':
      return {
        sql: `${column('direct_group_id')} in (${GROUPS_OF} and (select count(*) from direct_group_member o
          where o.group_id = g.group_id) > 2)`,
        params: [term.userId],
      }
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
    case 'in-home': {
      const muted = mutedCondition(viewer)
      return { sql: `not (${muted.sql})`, params: muted.params }
    }
    case 'search':
      return undefined
    default:
      return term satisfies never
  }
}

const GROUPS_OF = 'select g.group_id from direct_group_member g where g.user_id = ?'

function topicCondition(topic: string, column: string, narrow: ResolvedNarrow): Condition {
  const channel = narrow.terms.find((one) => one.kind === 'channel' && !one.negated)
  return channel?.kind === 'channel'
    ? {
        sql: `${column} in (select t.id from topic t where t.channel_id = ? and t.topic_key = ?)`,
        params: [channel.channelId, topicKey(topic)],
      }
    : { sql: `${column} in (select t.id from topic t where t.topic_key = ?)`, params: [topicKey(topic)] }
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
      return { sql: `${column('direct_group_id')} in (${GROUPS_OF})`, params: [viewer.id] }
    case 'starred':
      return { sql: flaggedBy(FLAG.starred), params: [viewer.id] }
    case 'alerted':
      return { sql: flaggedBy(FLAG.has_alert_word), params: [viewer.id] }
    case 'mentioned': {
      const inChannel = receivedInChannel(viewer, 'w')
      return {
        sql: `m.id in (select f.message_id from message_flag f where f.user_id = ?
            and (f.flags & ${FLAG.mentioned | FLAG.topic_wildcard_mentioned}) <> 0
          union all select w.id from message w where w.mentions_channel = 1 and ${inChannel.sql})`,
        params: [viewer.id, ...inChannel.params],
      }
    }
    case 'resolved':
      return {
        sql: `${column('topic_id')} in (select t.id from topic t where substr(t.name, 1, ?) = ?)`,
        params: [RESOLVED_TOPIC_PREFIX.length, RESOLVED_TOPIC_PREFIX],
      }
    case 'followed':
      return { sql: `${column('topic_id')} in (${TOPICS_WITH} = ${VISIBILITY.followed})`, params: [viewer.id] }
    case 'muted':
      return mutedCondition(viewer)
    case 'unread':
      return undefined
    default:
      return what satisfies never
  }
}

const TOPICS_WITH = `select t.id from user_topic u join topic t on t.channel_id = u.channel_id and t.topic_key = u.topic_key
  where u.user_id = ? and u.visibility_policy`

/** In a muted topic, or in a muted channel under a topic that is neither unmuted nor followed. */
function mutedCondition(viewer: Viewer): Condition {
  return {
    sql: `coalesce(m.topic_id, 0) in (${TOPICS_WITH} = ${VISIBILITY.muted})
      or (coalesce(m.channel_id, 0) in (select s.channel_id from subscription s
            where s.user_id = ? and s.is_active = 1 and s.is_muted = 1)
        and coalesce(m.topic_id, 0) not in (${TOPICS_WITH} in (${VISIBILITY.unmuted}, ${VISIBILITY.followed})))`,
    params: [viewer.id, viewer.id, viewer.id],
  }
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
  if (!isNamed('channel')) {
    const { sql, params } = mutedCondition(viewer)
    return { sql: `not (${sql})`, params }
  }
  return { sql: `coalesce(m.topic_id, 0) not in (${TOPICS_WITH} = ${VISIBILITY.muted})`, params: [viewer.id] }
}
