import { throughIndex } from '../dialect.ts'
import type { Session } from '../session.ts'
import { type Condition, topicNamed } from './conditions.ts'
import { type List, listOfTerm } from './lists.ts'
import type { ResolvedNarrow, ResolvedTerm, Viewer } from './resolved-narrow.ts'

/** An index with messages in the order of their IDs. */
export interface IndexScan {
  /** The indexed table. */
  readonly from: string
  readonly id: string
  /** Joins the message `m`, if that is another table. */
  readonly join: string
  readonly where: Condition
  /** Whether a message may occur more than once. */
  readonly isRepeated?: true
}

/** Indexes that together contain every message that matches a term. */
export type Source = readonly IndexScan[]

/** A term with more indexes is not used as a source, because each needs a statement. */
const MAX_SCANS = 20

/** Returns every way in which indexes lead to the messages of a narrow; empty if no term has one. */
export async function sourcesOf(session: Session, narrow: ResolvedNarrow, viewer: Viewer): Promise<Source[]> {
  const sources: Source[] = []
  for (const term of narrow.terms) {
    if (term.negated) continue
    const source = indexedSource(session, term, viewer) ?? (await listedSource(session, term, narrow, viewer))
    if (source) sources.push(source)
  }
  return sources
}

function indexedSource({ dialect }: Session, term: ResolvedTerm, viewer: Viewer): Source | undefined {
  const own = (column: string, value: number) => [
    messages(dialect, INDEXES[column], { sql: `m.${column} = ?`, params: [value] }),
  ]
  const marked = (index: string, flag: string) => messages(dialect, index, { sql: `m.${flag} = 1`, params: [] })
  switch (term.kind) {
    case 'channel':
      return own('channel_id', term.channelId)
    case 'sender':
      return own('sender_id', term.userId)
    case 'dm':
      return own('direct_group_id', term.groupId ?? -1)
    case 'id':
      return [messages(dialect, undefined, { sql: 'm.id = ?', params: [term.messageId] })]
    case 'mentions':
      return [flags(term.userId)]
    case 'has':
      if (term.what === 'reaction') return [REACTIONS]
      return [marked(`message_has_${term.what}_index`, `has_${term.what}`)]
    case 'is':
      if (term.what === 'starred' || term.what === 'alerted') return [flags(viewer.id)]
      if (term.what !== 'mentioned') return undefined
      return [flags(viewer.id), marked('message_mentions_channel_index', 'mentions_channel')]
    default:
      return undefined
  }
}

/** Uses topics and conversations as a source, if there are few. */
async function listedSource(
  session: Session,
  term: ResolvedTerm,
  narrow: ResolvedNarrow,
  viewer: Viewer,
): Promise<Source | undefined> {
  const list = term.kind === 'topic' ? topicOfChannel(term.topic, narrow) : listOfTerm(term, narrow, viewer)
  if (!list || list.kind === 'scanned') return undefined
  const { sql, params } = list.rows
  const rows = await session.all<{ id: number }>(`${sql} limit ?`, [...params, MAX_SCANS + 1])
  if (rows.length > MAX_SCANS) return undefined
  return rows.map(({ id }) =>
    messages(session.dialect, INDEXES[list.column], { sql: `m.${list.column} = ?`, params: [id] }),
  )
}

/** The topic's spellings; undefined if the narrow names no channel, so that every topic would have to be checked. */
function topicOfChannel(topic: string, narrow: ResolvedNarrow): List | undefined {
  const hasChannel = narrow.terms.some((term) => term.kind === 'channel' && !term.negated)
  if (!hasChannel) return undefined
  const { sql, params } = topicNamed(topic, narrow)
  return {
    kind: 'indexed',
    column: 'topic_id',
    rows: { sql: `select t.id from topic t where ${sql}`, params },
  }
}

const INDEXES: Readonly<Record<string, string>> = {
  channel_id: 'message_channel_id_id_topic_id_index',
  topic_id: 'message_topic_id_id_sender_id_index',
  sender_id: 'message_sender_id_id_index',
  direct_group_id: 'message_direct_group_id_id_index',
}

function messages(dialect: Session['dialect'], index: string | undefined, where: Condition): IndexScan {
  const from = index === undefined ? 'message m' : `message m ${throughIndex(dialect, index)}`
  return { from, id: 'm.id', join: '', where }
}

const REACTIONS: IndexScan = {
  from: 'reaction e',
  id: 'e.message_id',
  join: 'cross join message m on m.id = e.message_id',
  where: { sql: '1 = 1', params: [] },
  isRepeated: true,
}

/** All flags of a user; the term's condition says which one is meant. */
function flags(userId: number): IndexScan {
  return {
    from: 'message_flag f0',
    id: 'f0.message_id',
    join: 'cross join message m on m.id = f0.message_id',
    where: { sql: 'f0.user_id = ?', params: [userId] },
  }
}
