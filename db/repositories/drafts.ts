import type { Draft } from '../../domain/drafts/drafts.ts'
import { ownRows } from '../own-rows.ts'

interface DraftRow {
  readonly type: Draft['type']
  /** JSON. */
  readonly recipients: string
  readonly topic: string
  readonly content: string
  readonly edited_at: number
}

/** Least recently edited first. */
export const drafts = ownRows<Draft, DraftRow>({
  table: 'draft',
  texts: ['content', 'recipients'],
  order: 'edited_at, id',
  toRow: ({ to, timestamp, ...rest }) => ({ ...rest, recipients: JSON.stringify(to), edited_at: timestamp }),
  fromRow: ({ id, type, recipients, topic, content, edited_at }) => ({
    id,
    type,
    to: JSON.parse(recipients) as number[],
    topic,
    content,
    timestamp: edited_at,
  }),
})
