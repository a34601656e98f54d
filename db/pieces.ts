import { chunksOf } from '../domain/chunks.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { listOf } from './dialect.ts'
import type { Awaitable, Session, SqlValue } from './session.ts'

/** Maximum number of rows of one statement. */
export const ROWS_A_PIECE = 5000
/**
 * Maximum number of places that one statement looks up in an index. From 1,000 on, MariaDB makes a join of the list
 * (in_predicate_conversion_threshold).
 */
const LISTED_A_PIECE = 500

/** Number of items that are requested or read before others are served; takes a few milliseconds. */
export const PAGE = 1000

/**
 * Reads a list in pages, in the order of a number, and returns the result of `each` for every row. Others are served in
 * between (SEC-LOOP-3), and later pages see their commits.
 *
 * @param page at most `limit` rows whose number is above `after`, in this order
 */
export async function inPages<Row, Result>(
  page: (after: number, limit: number) => Awaitable<Row[]>,
  keyOf: (row: Row) => number,
  each: (row: Row) => Result,
  pauses: Pauses,
): Promise<Result[]> {
  const results: Result[] = []
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await page(after, PAGE)
    for (const row of rows) results.push(each(row))
    const last = rows.at(-1)
    if (rows.length < PAGE || last === undefined) return results
    after = keyOf(last)
    await pauses.letOthers()
  }
}

/** Rows in the order of a number. */
interface NumberedRows {
  /** A statement, up to the end of its condition. */
  readonly sql: string
  /** Values of its placeholders. */
  readonly params?: readonly SqlValue[]
  /** Column of the number, which the statement selects under this name. */
  readonly key?: string
}

/** Same as `inPages` for the rows of a statement. */
export function rowsInPages<Row, Result>(
  session: Session,
  { sql, params = [], key = 'id' }: NumberedRows,
  each: (row: Row) => Result,
  pauses: Pauses,
): Promise<Result[]> {
  const name = key.slice(key.indexOf('.') + 1) as keyof Row
  const page = (after: number, limit: number) =>
    session.all<Row>(`${sql} and ${key} > ? order by ${key} limit ?`, [...params, after, limit])
  return inPages(page, (row) => Number(row[name]), each, pauses)
}

interface RowsOptions<Row> {
  readonly before?: readonly SqlValue[]
  readonly pauses?: Pauses
  readonly exactly?: keyof Row
}

/**
 * Returns the rows that a statement finds for each PAGE of `values`, each value once, with others served in between.
 *
 * @param sql returns the statement, given what follows `in`
 * @param options.before values of the placeholders before the list
 * @param options.exactly column of the values, if they are texts that clients send: MariaDB ignores trailing spaces when
 *   it compares
 */
export async function rowsFor<Row>(
  session: Session,
  values: Iterable<number | string>,
  sql: (list: string) => string,
  { before = [], pauses = new Pauses(), exactly }: RowsOptions<Row> = {},
): Promise<Row[]> {
  const rows: Row[] = []
  const unique = new Set(values)
  for (const chunk of chunksOf([...unique], PAGE)) {
    const list = listOf(session.dialect, chunk)
    for (const row of await session.all<Row>(sql(list.sql), [...before, ...list.params])) {
      if (exactly === undefined || unique.has(row[exactly] as string)) rows.push(row)
    }
    await pauses.letOthers()
  }
  return rows
}

/** Rows with long texts are read until their texts exceed this many bytes in total. */
const BYTES_A_PAGE = 1024 * 1024

/** Rows of a statement, whose texts may be long. */
interface LongRows {
  readonly columns: string
  /** Tables, condition and order. */
  readonly from: string
  /** SQL for the bytes of a row. */
  readonly bytes: string
  readonly limit: number
}

/**
 * Returns the first rows, at least one, up to BYTES_A_PAGE not counting the last one. Reads the texts of these rows
 * only.
 */
export async function rowsInBytes<Row>(
  session: Session,
  { columns, from, bytes, limit }: LongRows,
  params: readonly SqlValue[],
): Promise<Row[]> {
  const sizes = await session.all<{ bytes: number }>(`select ${bytes} as bytes ${from} limit ?`, [...params, limit])
  let [count, sum] = [0, 0]
  while (count < sizes.length && sum < BYTES_A_PAGE) {
    sum += Number(sizes[count]?.bytes)
    count += 1
  }
  return count === 0 ? [] : session.all<Row>(`select ${columns} ${from} limit ?`, [...params, count])
}

/** SQL for the bytes of the texts in `columns`. */
export function octetsOf(columns: readonly string[]): string {
  return columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
}

/** IDs from the first to the second, both included. */
export type Span = readonly [from: number, to: number]

/** The columns that say where a message is. Each is the first of an index, followed by the ID. */
type Place = 'channel_id' | 'topic_id' | 'direct_group_id'

/** Messages whose `column` is one of `listed`; unordered. */
export function messagesIn(
  session: Session,
  column: Place,
  listed: readonly number[],
  span: Span,
  pauses: Pauses,
): Promise<number[]> {
  const columns = 'm.id'
  return inPieces(
    chunksOf(listed, LISTED_A_PIECE),
    {
      together: (chunk) => ofPlaces(session, columns, column, chunk, span),
      alone: (one) => ({ sql: `select ${columns} from message m where m.${column} = ?`, params: [one], span }),
    },
    session,
    pauses,
  )
}

/**
 * Returns the statement for the messages of some places. It names the places after `in`: joined with a list, MariaDB
 * uses the first column of the index only, and reads each place from its first message on.
 *
 * @param places at most LISTED_A_PIECE
 */
export function ofPlaces(
  { dialect }: Session,
  columns: string,
  column: Place,
  places: readonly number[],
  span: Span,
): Statement {
  const { sql, params } = listOf(dialect, places)
  return {
    sql: `select ${columns} from message m where m.${column} in ${sql} and m.id between ? and ?`,
    params: [...params, ...span],
  }
}

interface Statement {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

interface Ways<One> {
  /** Returns the statement for several, unordered. */
  readonly together: (several: readonly One[]) => Statement
  /** Returns the statement for one, in the order of `m.id`, without its range of IDs. */
  readonly alone: (one: One) => Statement & { readonly span: Span }
}

/** Returns the IDs that statements find for each of `chunks`; a chunk with too many IDs for a piece is halved. */
export async function inPieces<One>(
  chunks: Iterable<readonly One[]>,
  { together, alone }: Ways<One>,
  session: Session,
  pauses: Pauses,
): Promise<number[]> {
  const ids: number[] = []
  const left = [...chunks]
  for (let chunk = left.pop(); chunk !== undefined; chunk = left.pop()) {
    const [only] = chunk
    if (chunk.length === 1 && only !== undefined) {
      const { span, ...statement } = alone(only)
      await collectOrdered(ids, session, statement, span, pauses)
      continue
    }
    const { sql, params } = together(chunk)
    const rows = await session.all<{ id: number }>(`${sql} limit ?`, [...params, ROWS_A_PIECE])
    if (rows.length < ROWS_A_PIECE) for (const { id } of rows) ids.push(id)
    else left.push(chunk.slice(0, chunk.length / 2), chunk.slice(chunk.length / 2))
    await pauses.letOthers()
  }
  return ids
}

async function collectOrdered(
  ids: number[],
  session: Session,
  { sql, params }: Statement,
  [from, to]: Span,
  pauses: Pauses,
): Promise<void> {
  const page = `${sql} and m.id between ? and ? order by m.id limit ?`
  for (let least = from; least <= to; ) {
    const rows = await session.all<{ id: number }>(page, [...params, least, to, ROWS_A_PIECE])
    for (const { id } of rows) ids.push(id)
    await pauses.letOthers()
    if (rows.length < ROWS_A_PIECE) return
    least = (rows.at(-1)?.id ?? to) + 1
  }
}
