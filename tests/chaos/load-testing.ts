import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, ApiClient } from '../../server/testing.ts'

const SENDERS = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot', 'owner'] as const
const READERS = ['member', 'guest', 'owner', 'bot'] as const
const TOPIC = 'chaos'
/** Content of the message that ends reading. */
const LAST = 'the last'
/** Messages that the history is read in. */
const PAGE = 1000
/** A client without an answer tries again after this time. */
const RETRY_MS = 20

/** The result. A message that is lost, doubled or out of order has failed before. */
interface Counts {
  readonly acknowledged: number
  /** Sends with an error or no answer whose message is there. */
  readonly kept: number
  /** Sends with an error or no answer whose message is not there. */
  readonly lost: number
  /** Unsuccessful answers and broken connections by what they said. */
  readonly errors: Readonly<Record<string, number>>
}

/** People who send without a pause, and others who wait for it, through every failure. */
export class Load {
  /** Between two acknowledged sends. */
  longestGapMs = 0
  readonly #as: (key: string) => ApiClient
  /** Contents by id. */
  readonly #acknowledged = new Map<number, string>()
  readonly #unanswered = new Set<string>()
  readonly #errors = new Map<string, number>()
  readonly #work: Promise<void>[] = []
  readonly #readers: Promise<void>[] = []
  #lastAt = performance.now()
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined
  #onFailure: (() => void) | undefined
  #isSending = true

  private constructor(as: (key: string) => ApiClient) {
    this.#as = as
  }

  static async begin(as: (key: string) => ApiClient): Promise<Load> {
    const load = new Load(as)
    const first = await as('owner').must('POST', '/messages', load.#message('the first'))
    load.#acknowledged.set(first.id, 'the first')
    for (const key of READERS) {
      const queue = await as(key).must('POST', '/register', { event_types: ['message'] })
      assert.equal(queue.max_message_id, first.id)
      load.#readers.push(load.#read(as(key), queue, first.id))
    }
    for (const [number, key] of SENDERS.entries()) load.#work.push(load.#send(as(key), number))
    // A failure is thrown where somebody waits for sends, and at the end.
    for (const one of [...load.#work, ...load.#readers]) one.catch(() => undefined)
    return load
  }

  /** Waits until this many more sends were acknowledged. */
  async untilSent(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting = { count: this.#acknowledged.size + count, resolve }
    await Promise.race([promise, ...this.#work, ...this.#readers])
    this.#waiting = undefined
  }

  /** Waits until a send fails from now on. */
  async untilFailed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onFailure = resolve
    await Promise.race([promise, ...this.#work, ...this.#readers])
    this.#onFailure = undefined
  }

  /** Ends sending, and compares the stored messages with the acknowledged ones and with those that each reader got. */
  async end(): Promise<Counts> {
    this.#isSending = false
    await Promise.all(this.#work)
    const { id } = await this.#as('owner').must('POST', '/messages', this.#message(LAST))
    this.#acknowledge(id, LAST)
    const history = await this.#history()
    const there = new Map(history.map(({ id, content }) => [id, content]))
    for (const [id, content] of this.#acknowledged)
      assert.equal(there.get(id), content, `message ${id} was acknowledged`)
    const contents = history.map(({ content }) => content)
    assert.equal(new Set(contents).size, contents.length, 'a message is there twice')
    const kept = contents.filter((content) => this.#unanswered.has(content)).length
    assert.equal(contents.length, this.#acknowledged.size + kept, 'nobody sent that')
    await Promise.all(this.#readers)
    return {
      acknowledged: this.#acknowledged.size,
      ...{ kept, lost: this.#unanswered.size - kept },
      errors: Object.fromEntries(this.#errors),
    }
  }

  async #send(sender: ApiClient, number: number): Promise<void> {
    for (let count = 0; this.#isSending; count += 1) {
      const content = `${count} of ${number}`
      const answer = await this.#answered(() => sender.post('/messages', this.#message(content)))
      if (answer === undefined) {
        this.#unanswered.add(content)
        this.#onFailure?.()
      } else this.#acknowledge(answer.body.id, content)
    }
  }

  #acknowledge(id: number, content: string): void {
    assert.equal(this.#acknowledged.get(id), undefined, `message ${id} was given out twice`)
    this.#acknowledged.set(id, content)
    const now = performance.now()
    this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastAt)
    this.#lastAt = now
    if (this.#waiting && this.#acknowledged.size >= this.#waiting.count) this.#waiting.resolve()
  }

  /** Polls until the last message comes. Each comes once, in order, and none is left out. */
  async #read(reader: ApiClient, { queue_id, last_event_id }: Answer['body'], first: number): Promise<void> {
    const seen: number[] = [first]
    let isOver = false
    for (let last = last_event_id; !isOver; ) {
      const answer = await this.#answered(() => reader.get('/events', { queue_id, last_event_id: last }))
      for (const { id, type, message } of answer?.body.events ?? []) {
        assert.ok(id > last, `event ${id} came after ${last}`)
        last = id
        if (type === 'message') seen.push(message.id)
        isOver ||= message?.content === LAST
      }
    }
    const history = await this.#history()
    assert.deepEqual(
      seen,
      history.map(({ id }) => id),
      `what ${reader.email} was told, and what is there`,
    )
  }

  /** Undefined if the server failed or did not answer. Throws if the server refuses, which must never happen. */
  async #answered(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    let why: string
    try {
      const answer = await ask()
      if (answer.status === 200) return answer
      why = `${answer.status} ${answer.body?.code ?? ''}`
      assert.ok(answer.status >= 500, `${why}: ${answer.body?.msg}`)
    } catch (err) {
      if (err instanceof assert.AssertionError) throw err
      why = err instanceof SyntaxError ? 'a page of nginx' : String(err)
    }
    this.#errors.set(why, (this.#errors.get(why) ?? 0) + 1)
    await delay(RETRY_MS)
    return undefined
  }

  /** All messages, oldest first. */
  async #history(): Promise<readonly { readonly id: number; readonly content: string }[]> {
    const narrow = [{ operator: 'topic', operand: TOPIC }]
    const all: { readonly id: number; readonly content: string }[] = []
    for (let isWhole = false; !isWhole; ) {
      const page = { narrow, anchor: all.at(-1)?.id ?? 'oldest', include_anchor: all.length === 0, num_before: 0 }
      const some = { ...page, num_after: PAGE, apply_markdown: false }
      const { messages, found_newest } = await this.#as('owner').must('GET', '/messages', some)
      all.push(...messages)
      isWhole = found_newest
    }
    return all
  }

  #message(content: string) {
    return { type: 'channel', to: 'general', topic: TOPIC, content }
  }
}
