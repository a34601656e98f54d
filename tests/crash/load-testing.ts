import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../server/random-testing.ts'
import type { Answer, ApiClient } from '../../server/testing.ts'

const ACCOUNTS = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'] as const
/** Messages in one page of the history. */
const PAGE = 1000
/** A client without an answer tries again after this time. */
const RETRY_MS = 20

interface Message {
  readonly id: number
  readonly content: string
}

/** People who send without a pause, through every failure, and what of it must be there afterwards. */
export class Load {
  as: (key: string) => ApiClient
  /** Between two acknowledged sends. */
  longestGapMs = 0
  /** Sends without a successful answer are kept if their message is there, and lost otherwise. */
  readonly counts = { acknowledged: 0, kept: 0, lost: 0 }
  /** Unsuccessful answers and broken connections by what they said. */
  readonly errors = new Map<string, number>()
  readonly #random: Random
  /** Contents by id. */
  readonly #acknowledged = new Map<number, string>()
  readonly #unanswered = new Set<string>()
  #work: readonly Promise<void>[] = []
  #lastAt = performance.now()
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined
  #onFailure: (() => void) | undefined
  #isSending = false
  #firstId = 0
  #sent = 0

  private constructor(as: (key: string) => ApiClient, random: Random) {
    this.as = as
    this.#random = random
  }

  static async open(as: (key: string) => ApiClient, random: Random): Promise<Load> {
    const load = new Load(as, random)
    load.#firstId = await load.send('the first')
    return load
  }

  /** Sends one message, which must succeed. */
  async send(content: string): Promise<number> {
    const { id } = await this.as('owner').must('POST', '/messages', messageOf(content, 't0'))
    this.#acknowledge(id, content)
    return id
  }

  begin(senders: number): void {
    this.#isSending = true
    this.#lastAt = performance.now()
    this.#work = Array.from({ length: senders }, (_, number) =>
      this.#sendOn(ACCOUNTS[number % ACCOUNTS.length] ?? 'owner', this.#random.fork()),
    )
    // A failure is thrown where somebody waits for sends, and at the end.
    for (const one of this.#work) one.catch(() => undefined)
  }

  /** Ends sending. Answers that are on their way still count. */
  async end(): Promise<void> {
    this.#isSending = false
    await Promise.all(this.#work)
  }

  /** Waits until this many more sends were acknowledged. */
  async untilSent(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting = { count: this.#acknowledged.size + count, resolve }
    await Promise.race([promise, ...this.#work])
    this.#waiting = undefined
  }

  /** Waits until a send fails from now on. */
  async untilFailed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onFailure = resolve
    await Promise.race([promise, ...this.#work])
    this.#onFailure = undefined
  }

  /**
   * While nobody sends: everything acknowledged is there, once, and the rest was sent without an answer since the last
   * check.
   *
   * @returns all messages, oldest first
   */
  async check(): Promise<readonly Message[]> {
    const history = await this.#history()
    const there = new Map(history.map(({ id, content }) => [id, content]))
    for (const [id, content] of this.#acknowledged)
      assert.equal(there.get(id), content, `message ${id} was acknowledged`)
    assert.equal(new Set(there.values()).size, history.length, 'a message is there twice')
    for (const [id, content] of there) {
      if (this.#acknowledged.has(id)) continue
      assert.ok(this.#unanswered.delete(content), `nobody sent message ${id}: ${content}`)
      this.#acknowledged.set(id, content) // from now on it must stay
      this.counts.kept += 1
    }
    this.counts.lost += this.#unanswered.size
    this.#unanswered.clear()
    return history
  }

  /** Undefined if the server failed or did not answer. Throws if the server refuses, which must never happen. */
  async answered(ask: () => Promise<Answer>): Promise<Answer | undefined> {
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
    this.errors.set(why, (this.errors.get(why) ?? 0) + 1)
    await delay(RETRY_MS)
    return undefined
  }

  async #sendOn(account: string, random: Random): Promise<void> {
    while (this.#isSending) {
      this.#sent += 1
      // Sometimes more than a page of the database.
      const length = random.int(10) === 0 ? 6000 : random.int(200)
      const content = `${this.#sent} of ${account}: ${'äöü 💬\n'.repeat(length / 6)}.`
      const message = messageOf(content, `t${random.int(5)}`)
      const answer = await this.answered(() => this.as(account).post('/messages', message))
      if (answer === undefined) {
        this.#unanswered.add(content)
        this.#onFailure?.()
      } else this.#acknowledge(answer.body.id, content)
    }
  }

  #acknowledge(id: number, content: string): void {
    assert.equal(this.#acknowledged.get(id), undefined, `message ${id} was given out twice`)
    this.#acknowledged.set(id, content)
    this.counts.acknowledged += 1
    const now = performance.now()
    this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastAt)
    this.#lastAt = now
    if (this.#waiting && this.#acknowledged.size >= this.#waiting.count) this.#waiting.resolve()
  }

  async #history(): Promise<readonly Message[]> {
    const narrow = [{ operator: 'channel', operand: 'general' }]
    const all: Message[] = []
    for (let isWhole = false; !isWhole; ) {
      const page = { narrow, anchor: all.at(-1)?.id ?? this.#firstId, include_anchor: all.length === 0, num_before: 0 }
      const some = { ...page, num_after: PAGE, apply_markdown: false }
      const { messages, found_newest } = await this.as('owner').must('GET', '/messages', some)
      all.push(...messages)
      isWhole = found_newest
    }
    return all
  }
}

function messageOf(content: string, topic: string) {
  return { type: 'channel', to: 'general', topic, content }
}
