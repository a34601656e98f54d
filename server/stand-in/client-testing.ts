import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ApiClient } from './api-client.ts'
import type { JournalEntry } from './journal.ts'
import { type ParleyOptions, type StandIn, startParley } from './start-parley.ts'

export interface Called {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  readonly body: any
}

/** A client under test, separate from the stand-in. */
export class TestedClient {
  readonly account: ApiClient
  readonly #url: string

  constructor({ url }: Pick<StandIn, 'url'>, account: ApiClient) {
    this.#url = url
    this.account = account
  }

  async call(method: string, path: string, sent: Record<string, string> = {}, signal?: AbortSignal): Promise<Called> {
    const form = new URLSearchParams(sent)
    const isQuery = method === 'GET'
    const answer = await fetch(`${this.#url}/api/v1${path}${isQuery ? `?${form}` : ''}`, {
      method,
      headers: { Authorization: this.account.authorization, 'User-Agent': 'Tested/1' },
      ...(!isQuery && { body: form }),
      ...(signal && { signal }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('Content-Type')?.startsWith('application/json')
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  me(): Promise<Called> {
    return this.call('GET', '/users/me')
  }

  /** A new queue for messages, and its first id. */
  async queue(): Promise<{ queue_id: string; last_event_id: string }> {
    const { body } = await this.call('POST', '/register', { event_types: '["message"]' })
    return { queue_id: body.queue_id, last_event_id: String(body.last_event_id) }
  }

  poll(queue: { queue_id: string; last_event_id: string }, more: Record<string, string> = {}): Promise<Called> {
    return this.call('GET', '/events', { ...queue, ...more })
  }

  /** A poll that is certainly parked by now. */
  waitingPoll(
    parley: StandIn,
    queue: { queue_id: string; last_event_id: string },
    signal?: AbortSignal,
  ): Promise<{ answer: Promise<Called> }> {
    return this.#pollUntil(parley, queue, ({ operation }) => operation === 'get-events', signal)
  }

  /** A poll that has reached the server, which may not have started on it. */
  arrivedPoll(
    parley: StandIn,
    queue: { queue_id: string; last_event_id: string },
  ): Promise<{ answer: Promise<Called> }> {
    return this.#pollUntil(parley, queue, () => true)
  }

  async #pollUntil(
    parley: StandIn,
    queue: { queue_id: string; last_event_id: string },
    isReached: (entry: JournalEntry) => boolean,
    signal?: AbortSignal,
  ): Promise<{ answer: Promise<Called> }> {
    const before = (await parley.requests()).length
    const answer = this.call('GET', '/events', queue, signal)
    answer.catch(() => undefined)
    for (;;) {
      const [entry] = (await parley.requests()).slice(before)
      if (entry?.outcome === 'waiting' && isReached(entry)) return { answer }
      await setImmediate()
    }
  }
}

/** A server for this test only, and a client. */
export async function started(t: TestContext, options?: ParleyOptions) {
  const parley = await startParley(options)
  t.after(() => parley.stop())
  return { parley, client: new TestedClient(parley, await parley.newUser()) }
}
