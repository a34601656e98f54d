import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import { ROWS_A_PIECE } from '../pieces.ts'
import type { Session } from '../session.ts'
import { type Condition, IS_LARGE_GROUP, IS_RESOLVED, topicNamed } from './conditions.ts'
import type { ResolvedNarrow, ResolvedTerm, Viewer } from './resolved-narrow.ts'

/**
 * Topics or conversations: a message matches the term if it is in one of them. Messages are in order within each, but
 * not across all of them.
 */
export type List = { readonly column: 'topic_id' | 'direct_group_id' } & (
  | {
      readonly kind: 'indexed'
      /** The start of a statement, whose rows have an `id`. */
      readonly rows: Condition
    }
  /** Every topic `t` must be checked. */
  | { readonly kind: 'scanned'; readonly condition: Condition }
)

const GROUPS_OF = 'select g.group_id as id from direct_group_member g where g.user_id = ?'

export function listOfTerm(term: ResolvedTerm, narrow: ResolvedNarrow, viewer: Viewer): List | undefined {
  switch (term.kind) {
    case 'topic':
      return { column: 'topic_id', kind: 'scanned', condition: topicNamed(term.topic, narrow) }
    case 'dm-including':
      return groups(GROUPS_OF, term.userId)
    case 'group-dm-with':
      return groups(`${GROUPS_OF} and ${IS_LARGE_GROUP}`, term.userId)
    case 'is':
      if (term.what === 'dm') return groups(GROUPS_OF, viewer.id)
      if (term.what === 'followed') return { column: 'topic_id', kind: 'indexed', rows: followed(viewer) }
      if (term.what === 'resolved') return { column: 'topic_id', kind: 'scanned', condition: IS_RESOLVED }
      return undefined
    default:
      return undefined
  }
}

function groups(sql: string, userId: number): List {
  return { column: 'direct_group_id', kind: 'indexed', rows: { sql, params: [userId] } }
}

function followed(viewer: Viewer): Condition {
  return {
    sql: `select t.id from user_topic u join topic t on t.channel_id = u.channel_id and t.topic_key = u.topic_key
      where u.user_id = ? and u.visibility_policy = ${VISIBILITY.followed}`,
    params: [viewer.id],
  }
}

/** Returns the IDs of the topics or conversations, each once. */
export async function listedIds(session: Session, list: List, pauses: Pauses): Promise<number[]> {
  if (list.kind === 'indexed') {
    const rows = await session.all<{ id: number }>(list.rows.sql, list.rows.params)
    return rows.map((row) => row.id)
  }
  const ids: number[] = []
  const newest = (await session.get<{ id: number | null }>('select max(id) as id from topic'))?.id ?? 0
  for (let position = 0; position < newest; position += ROWS_A_PIECE) {
    const rows = await session.all<{ id: number }>(
      `select t.id from topic t where t.id > ? and t.id <= ? and ${list.condition.sql}`,
      [position, position + ROWS_A_PIECE, ...list.condition.params],
    )
    for (const { id } of rows) ids.push(id)
    await pauses.letOthers()
  }
  return ids
}
