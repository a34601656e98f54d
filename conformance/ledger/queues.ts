import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'

/** The events of one queue, whoever read it. */
export interface QueueRecord {
  readonly id: string
  readonly owner: number
  readonly registered: Exchange
  /** Undefined means all. */
  readonly types: ReadonlySet<string> | undefined
  readonly hasRawContent: boolean
  /** Ids of events that came. */
  readonly seen: Set<number>
  /** Ids of messages whose events came. */
  readonly messages: Set<number>
  /** How often events gave each thing a value, by `thing = JSON`. */
  readonly told: Map<string, number>
  /** The last answer. */
  last: Exchange
  /** Whether its reader acknowledged events it was never shown. */
  isSkipped: boolean
}

/** The queue of an answer of POST /register; undefined if it has none, or only gets some messages. */
export function queueOf(exchange: Exchange, values: ReadonlyMap<string, Json>, owner: number): QueueRecord | undefined {
  const { queue_id: id } = exchange.body ?? {}
  const narrow = values.get('narrow')
  if (typeof id !== 'string' || (Array.isArray(narrow) && narrow.length > 0)) return undefined
  const types = values.get('event_types')
  return {
    id,
    owner,
    registered: exchange,
    types: Array.isArray(types) ? new Set(types) : undefined,
    hasRawContent: values.get('apply_markdown') !== true,
    seen: new Set(),
    messages: new Set(),
    told: new Map(),
    last: exchange,
    isSkipped: false,
  }
}

export function tellsOf({ types }: QueueRecord, type: string): boolean {
  return types === undefined || types.has(type)
}
