import assert from 'node:assert/strict'
import type { ServerProcess } from '../../server/process-testing.ts'
import type { Random } from '../../server/random-testing.ts'
import type { Answer } from '../../server/testing.ts'

export interface QueuePlan {
  /** The owner of the queue. */
  readonly account: string
  /** Only messages of this topic. */
  readonly topic: string | undefined
  /** Acknowledges everything it gets, only a part, or is not polled before the kill. */
  readonly polling: 'acknowledging' | 'forgetful' | 'silent'
  /** Number of kills after which it is replaced. */
  readonly lives: number
  readonly random: Random
}

/** One event queue and everything known about it, over any number of server processes. */
export class CrashQueue {
  readonly polling: QueuePlan['polling']
  readonly lives: number
  /** How often it was compared with the history. */
  drains = 0
  readonly #plan: QueuePlan
  readonly #id: string
  /** Messages up to this one were there before the queue. */
  readonly #maxMessageId: number
  /** What the next poll acknowledges. */
  #position: number
  /** Message by event id, for everything ever delivered. */
  readonly #delivered = new Map<number, number>()

  private constructor(plan: QueuePlan, answer: Answer['body']) {
    this.#plan = plan
    this.polling = plan.polling
    this.lives = plan.lives
    this.#id = answer.queue_id
    this.#maxMessageId = answer.max_message_id
    this.#position = answer.last_event_id
  }

  static async register(server: ServerProcess, plan: QueuePlan): Promise<CrashQueue> {
    const answer = await server.as(plan.account).must('POST', '/register', {
      event_types: ['message'],
      ...(plan.topic !== undefined && { narrow: [['topic', plan.topic]] }),
    })
    return new CrashQueue(plan, answer)
  }

  /** Waits for events again and again until the server dies, which throws. */
  async follow(server: ServerProcess): Promise<void> {
    if (this.polling === 'silent') return
    for (;;) {
      const last = await this.#poll(server, false)
      if (last === undefined) continue
      if (this.polling === 'acknowledging') this.#position = last
      else {
        // Somewhere between what it had acknowledged and what it got: the rest must come again.
        const unread = [...this.#delivered.keys()].filter((id) => id > this.#position)
        if (this.#plan.random.int(2) === 0) this.#position = this.#plan.random.pick(unread)
      }
    }
  }

  /** Reads everything in the queue, and compares everything ever delivered with the history. */
  async drain(server: ServerProcess): Promise<void> {
    const before = new Map([...this.#delivered].filter(([eventId]) => eventId > this.#position))
    const again = new Set<number>()
    const last = await this.#poll(server, true, again)
    for (const [eventId, messageId] of before) {
      assert.ok(again.has(eventId), `${this}: event ${eventId} (message ${messageId}) did not come again`)
    }
    if (this.polling !== 'forgetful' && last !== undefined) {
      this.#position = last
      assert.equal(await this.#poll(server, true), undefined, `${this} delivered events that were acknowledged`)
    }
    const history = await this.#history(server)
    // In the order of the events. Sent messages have ascending ids, so this also compares the order.
    const delivered = [...this.#delivered].toSorted(([one], [other]) => one - other).map(([, messageId]) => messageId)
    assert.deepEqual(delivered, history, `${this}: messages delivered, and messages there`)
    this.drains += 1
  }

  async remove(server: ServerProcess): Promise<void> {
    await server.as(this.#plan.account).must('DELETE', '/events', { queue_id: this.#id })
  }

  async assertGone(server: ServerProcess): Promise<void> {
    const parameters = { queue_id: this.#id, last_event_id: this.#position, dont_block: true }
    const { status, body } = await server.as(this.#plan.account).get('/events', parameters)
    assert.deepEqual([status, body.code], [400, 'BAD_EVENT_QUEUE_ID'], `${this} was removed`)
  }

  toString(): string {
    const { account, topic, polling } = this.#plan
    return `${polling} queue of ${account}${topic === undefined ? '' : ` for ${topic}`} at ${this.#position}`
  }

  /**
   * One GET /events, checked against everything delivered before.
   *
   * @param seen collects the ids of the events
   * @returns id of the last event; undefined if there was none
   */
  async #poll(server: ServerProcess, dontBlock: boolean, seen = new Set<number>()): Promise<number | undefined> {
    const parameters = { queue_id: this.#id, last_event_id: this.#position, dont_block: dontBlock }
    const { status, body } = await server.as(this.#plan.account).get('/events', parameters)
    assert.equal(status, 200, `${this}: ${JSON.stringify(body)}`)
    let last = this.#position
    for (const { id, type, message } of body.events) {
      assert.ok(id > last, `${this}: event ${id} comes after ${last}`)
      last = id
      if (type === 'heartbeat') continue
      const known = this.#delivered.get(id)
      if (known !== undefined) assert.equal(message.id, known, `${this}: event ${id} is another message now`)
      this.#delivered.set(id, message.id)
      seen.add(id)
    }
    return body.events.length > 0 ? last : undefined
  }

  /** Ids of the queue's messages since its registration. */
  async #history(server: ServerProcess): Promise<number[]> {
    const narrow = this.#plan.topic === undefined ? [] : [{ operator: 'topic', operand: this.#plan.topic }]
    const ids: number[] = []
    for (let anchor = this.#maxMessageId; ; anchor = ids.at(-1) ?? anchor) {
      const range = { narrow, anchor, include_anchor: false, num_before: 0, num_after: 5000, apply_markdown: false }
      const { messages, found_newest } = await server.as(this.#plan.account).must('GET', '/messages', range)
      ids.push(...messages.map((message: { id: number }) => message.id))
      if (found_newest) return ids
    }
  }
}
