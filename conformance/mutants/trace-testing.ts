import { createHash } from 'node:crypto'
import type { Contract } from '../wire/contract.ts'
import { jsonIn } from '../wire/json.ts'
import { answerTo, type Encoded, encoded, type Send } from '../wire/node-sender.ts'
import { OperationFinder } from '../wire/operation-finder.ts'
import { isObject } from '../wire/values.ts'

/** The answer to a request. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A recorded request with its answer. */
export interface Recorded extends Answer {
  /** Id of the operation; undefined if the contract has none for the request. */
  readonly operation: string | undefined
  /** Equal for requests that ask for the same. */
  readonly request: string
  /** Equal for requests of one operation, by one account, about one event queue. */
  readonly kind: string
  /** JSON of the answer; undefined if it is not JSON. */
  readonly body: unknown
  /** Whether it is a long poll that ended because its queue was deleted. */
  readonly isReleased: boolean
}

/** Changes a recorded answer, at this place of the trace, on its way to the check that asked for `url`. */
export type Mutate = (recorded: Recorded, place: number, url: string, asked: Encoded) => Answer | Promise<Answer>

/** The header of a replayed answer with its place in the trace. */
export const PLACE = 'x-place-in-trace'

/** After this long nobody will delete the queue of a poll. */
const LONGEST_POLL_MS = 1000
/** Every run begins with it: a document of half a megabyte. */
const DOCUMENT = '/api/v1/openapi.json'
/** Headers of a connection, not of an answer. */
export const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length']

type Key = Pick<Recorded, 'operation' | 'request' | 'kind'> & { readonly queue: string }

/** A server's answers to a run, in the order of the requests, so that the run can be repeated without the server. */
export class Trace {
  readonly #finder: OperationFinder
  readonly #asked: (Key & { readonly recorded: Promise<Recorded> })[] = []
  /** Complete once `end` has resolved. */
  recorded: readonly Recorded[] = []

  constructor(contract: Contract) {
    this.#finder = OperationFinder.of(contract)
  }

  /** Sends the request to the server, and records the answer. */
  readonly record: Send = async (url, init) => {
    const asked = await encoded(init)
    const key = keyOf(this.#finder, url, asked)
    const isFirst = this.#asked.length === 0
    const deletions = this.#deletionsOf(key.queue)
    const recorded = answerTo(url, asked).then(async ({ status, headers, text }): Promise<Recorded> => {
      const all = isFirst && url.endsWith(DOCUMENT) ? JSON.stringify(aboutServer(jsonIn(await text()))) : await text()
      for (const name of HOP_BY_HOP) headers.delete(name)
      const isPoll = key.operation === 'get-events' && status !== 200
      const isReleased = isPoll && this.#deletionsOf(key.queue) > deletions
      return { ...key, status, headers, text: all, body: frozen(jsonIn(all)), isReleased }
    })
    recorded.catch(() => undefined) // the caller gets the error
    this.#asked.push({ ...key, recorded })
    return answered(await recorded)
  }

  /** Resolves when all answers have arrived. */
  async end(): Promise<void> {
    const settled = await Promise.allSettled(this.#asked.map(({ recorded }) => recorded))
    this.recorded = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }

  player(mutate: Mutate): Player {
    return new Player(this.recorded, this.#finder, mutate)
  }

  #deletionsOf(queue: string): number {
    return this.#asked.filter((one) => one.operation === 'delete-queue' && one.queue === queue).length
  }
}

/**
 * Answers a repeated run. A request gets the answer of the same request. If a mutated answer made the run send another
 * request, that gets the next answer of its kind: the run follows the true answers, so that only what looks at the
 * mutated one can notice it.
 */
export class Player {
  /** The first request of a kind that was not recorded; nothing that the run found after it counts. */
  diverged: string | undefined
  readonly #recorded: readonly Recorded[]
  readonly #finder: OperationFinder
  readonly #mutate: Mutate
  readonly #byKey: ReadonlyMap<string, readonly { readonly place: number }[]>
  readonly #used = new Set<number>()
  readonly #polls = new Map<string, Set<() => void>>()

  constructor(recorded: readonly Recorded[], finder: OperationFinder, mutate: Mutate) {
    this.#recorded = recorded
    this.#finder = finder
    this.#mutate = mutate
    const keys = recorded.flatMap(({ request, kind }, place) =>
      [request, kind, withoutQueue(kind)].map((key) => ({ key, place })),
    )
    this.#byKey = Map.groupBy(keys, ({ key }) => key)
  }

  readonly send: Send = Object.assign(
    (url: string, init: RequestInit, giveUp?: () => void) => this.#answer(url, init, giveUp),
    { givesUp: true } as const,
  )

  async #answer(url: string, init: RequestInit, giveUp: (() => void) | undefined): ReturnType<Send> {
    const asked = await encoded(init)
    const { operation, request, kind, queue } = keyOf(this.#finder, url, asked)
    if (operation === 'delete-queue') for (const release of this.#polls.get(queue) ?? []) release()
    const isPoll = operation === 'get-events'
    const keys = isPoll ? [request, kind] : [request, kind, withoutQueue(kind)]
    // A request sent more often than recorded gets its last answer again.
    const place = this.#next(keys) ?? (isPoll ? undefined : this.#last(keys))
    const recorded = place === undefined ? undefined : this.#recorded[place]
    if (isPoll && (recorded === undefined ? giveUp !== undefined : recorded.isReleased)) {
      giveUp?.()
      await this.#released(queue)
    }
    if (place === undefined || recorded === undefined) {
      if (isPoll) return answered(NO_QUEUE)
      this.diverged ??= `${asked.method} ${url}`
      throw new Error(`not recorded: ${asked.method} ${url}`)
    }
    this.#used.add(place)
    const { status, headers, text } = await this.#mutate(recorded, place, url, asked)
    const placed = new Headers(headers)
    placed.set(PLACE, String(place))
    const isUntouched = text === recorded.text
    return { ...answered({ status, headers: placed, text }), ...(isUntouched && { parsed: recorded }) }
  }

  #next(keys: readonly string[]): number | undefined {
    for (const key of keys) {
      const found = this.#byKey.get(key)?.find(({ place }) => !this.#used.has(place))
      if (found !== undefined) return found.place
    }
    return undefined
  }

  #last(keys: readonly string[]): number | undefined {
    return keys.flatMap((key) => this.#byKey.get(key)?.at(-1) ?? [])[0]?.place
  }

  /** Resolves when the queue is deleted, or if nobody has deleted it for long. */
  #released(queue: string): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LONGEST_POLL_MS)
      const release = (): void => {
        clearTimeout(timer)
        resolve()
      }
      this.#polls.set(queue, (this.#polls.get(queue) ?? new Set()).add(release))
    })
  }
}

const NO_QUEUE: Answer = {
  status: 400,
  headers: new Headers({ 'content-type': 'application/json' }),
  text: JSON.stringify({ result: 'error', msg: 'Bad event queue ID: ', code: 'BAD_EVENT_QUEUE_ID', queue_id: '' }),
}

function answered({ status, headers, text }: Answer): { status: number; headers: Headers; text(): Promise<string> } {
  return { status, headers, text: async () => text }
}

function keyOf(finder: OperationFinder, url: string, { method, headers, content }: Encoded): Key {
  const { pathname, search, searchParams } = new URL(url)
  const { authorization = '', 'content-type': type = '', range = '' } = headers
  // Every request has a new boundary.
  const [, boundary] = /boundary=(.+)$/.exec(type) ?? []
  const sent = content.toString('latin1').replaceAll(boundary ?? '\0', '')
  const form = new URLSearchParams(type.includes('urlencoded') ? content.toString('utf8') : '')
  const operation = finder.find((form.get('method') ?? method).toUpperCase(), pathname)?.id
  const queue = searchParams.get('queue_id') ?? form.get('queue_id') ?? ''
  const digest = createHash('sha256').update(sent).digest('base64')
  return {
    operation,
    request: [method, pathname, search, authorization, range, digest].join(' '),
    kind: [operation ?? `${method} ${pathname}`, authorization, queue].join(' '),
    queue,
  }
}

/** The same for every queue, because a mutant may have changed a queue's id. */
function withoutQueue(kind: string): string {
  return kind.replace(/ \S*$/, ' any')
}

/** Freezes a value, because all replays share it. */
function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  for (const one of Object.values(value)) frozen(one)
  return Object.freeze(value)
}

/** The part of a server's contract, a document of half a megabyte, that says who answers. */
export function aboutServer(document: unknown): object {
  const { openapi, info, paths = {} } = isObject(document) ? document : {}
  const ruling = Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith('/testing/')))
  return { openapi, info: { ...info }, paths: ruling }
}
