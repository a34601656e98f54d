import { createHash } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { Clock } from '../../domain/clock.ts'
import { parsePairs } from '../decode.ts'
import { bodyKind } from '../form.ts'
import { stateOf } from '../request-state.ts'
import { isOwn } from './interference.ts'

/** One call of the client under test. */
export interface JournalEntry {
  /** From 1 on, in order of arrival. */
  readonly number: number
  /** `operationId` of the contract; `unknown` for unknown URLs, and until the call was read. */
  operation: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Whether the query contains a key, which is left out of the parameters. */
  hasKeyInUrl: boolean
  /** Parameters of query and form; the last one of repeated names. */
  parameters: Readonly<Record<string, string>>
  /** Differs between calls that may differ in what is not recorded here: a body that was not read, or the key. */
  variant: string
  /** `user_id` of the caller; null if not recognized. */
  user: number | null
  /** The User-Agent. */
  readonly client: string
  /** Milliseconds since 1970 on the stand-in's clock, which runs by itself and which `advance` moves. */
  readonly at: number
  /** When the answer was sent or the connection closed; null until then. */
  ended: number | null
  /** `dropped`: the connection was closed before a whole answer, by the stand-in or by the client. */
  outcome: 'waiting' | 'answered' | 'dropped'
  /** Null without an answer. */
  status: number | null
  /** Code of an error. */
  code: string | null
  /** Seconds that a refusal asked to wait. */
  retryAfter: number | null
  /** JSON of the answer; null for anything else, and for more than a megabyte. */
  answer: unknown
}

const MAX_ANSWER_BYTES = 1024 * 1024

/** Records the requests of the client and their answers. */
export class Journal {
  readonly #clock: Clock
  #entries: JournalEntry[] = []
  readonly #entryOf = new WeakMap<Context, JournalEntry>()
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries
  }

  /** With fractions of a millisecond, to tell apart what comes just before and after an answer. */
  #now(): number {
    return performance.timeOrigin + this.#clock.monotonic()
  }

  clear(): void {
    this.#entries = []
    this.#count = 0
  }

  /** Names a call that the stand-in holds back, because nobody knows when it will go on. */
  name(ctx: Context): void {
    const entry = this.#entryOf.get(ctx)
    if (entry) describeRequest(ctx, entry)
  }

  /** Must be the first middleware, because it sees the answer as it is sent. */
  readonly middleware: Middleware = async (ctx, next) => {
    if (isOwn(ctx)) return next()
    this.#count += 1
    const entry: JournalEntry = {
      number: this.#count,
      operation: 'unknown',
      method: ctx.method,
      path: ctx.path,
      hasKeyInUrl: false,
      parameters: {},
      variant: '',
      user: null,
      client: ctx.get('User-Agent'),
      at: this.#now(),
      ended: null,
      outcome: 'waiting',
      status: null,
      code: null,
      retryAfter: null,
      answer: null,
    }
    this.#entries.push(entry)
    this.#entryOf.set(ctx, entry)
    const body = captured(ctx)
    const note = (): void => {
      if (entry.ended !== null) return
      entry.ended = this.#now()
      describe(ctx, entry, body())
    }
    // Recorded at the end of the answer, not of the connection, because a client may have the answer earlier, and read
    // the journal.
    ctx.res.once('finish', note)
    ctx.res.once('close', note)
    try {
      await next()
    } finally {
      describeRequest(ctx, entry)
    }
  }
}

function describeRequest(ctx: Context, entry: JournalEntry): void {
  const { operationId, actor, multipart = [] } = stateOf(ctx)
  entry.operation = operationId ?? 'unknown'
  entry.user = actor?.id ?? null
  const { api_key: key, ...query } = parametersOf(ctx.querystring)
  entry.hasKeyInUrl = key !== undefined
  const form = { ...parametersOf(String(ctx.request.rawBody ?? '')), ...Object.fromEntries(multipart) }
  entry.parameters = { ...query, ...form }
  const isRead = bodyKind(ctx) === 'none' || ctx.request.rawBody !== undefined || multipart.length > 0
  const credentials = createHash('sha256').update(ctx.get('Authorization')).digest('hex').slice(0, 8)
  entry.variant = isRead ? credentials : `${credentials} ${entry.number}`
}

function describe(ctx: Context, entry: JournalEntry, body: Buffer | undefined): void {
  describeRequest(ctx, entry)
  const { res } = ctx
  if (!res.writableEnded || res.socket?.destroyed === true) {
    entry.outcome = 'dropped'
    return
  }
  entry.outcome = 'answered'
  entry.status = res.statusCode
  const retryAfter = res.getHeader('Retry-After')
  entry.retryAfter = retryAfter === undefined ? null : Number(retryAfter)
  entry.answer = jsonOf(body)
  const { code } = (entry.answer ?? {}) as { code?: unknown }
  entry.code = typeof code === 'string' ? code : null
}

/** Returns a function that returns everything written into the answer. */
function captured({ res }: Context): () => Buffer | undefined {
  const chunks: Buffer[] = []
  let bytes = 0
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes <= MAX_ANSWER_BYTES) chunks.push(buffer)
  }
  for (const name of ['write', 'end'] as const) {
    const original = res[name] as (...args: unknown[]) => unknown
    res[name] = ((...args: unknown[]) => {
      keep(args[0])
      return original.apply(res, args)
    }) as never
  }
  return () => (bytes <= MAX_ANSWER_BYTES ? Buffer.concat(chunks) : undefined)
}

function jsonOf(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString() ?? 'null')
  } catch {
    return null
  }
}

function parametersOf(text: string): Record<string, string> {
  try {
    return Object.fromEntries(parsePairs(text))
  } catch {
    return {} // the server refused it, too
  }
}
