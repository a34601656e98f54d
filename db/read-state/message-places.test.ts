import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoggedEvent } from '../../domain/events/log-event.ts'
import type { EventId, MessageId } from '../../domain/ids.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import type { EventLogReader } from '../repositories/event-log.ts'
import type { Session } from '../session.ts'
import { MessagePlaces } from './message-places.ts'

/** Messages with an event log. `beforeAnswer` happens after the rows were read, and before they arrive. */
class Messages {
  readonly places = new MessagePlaces()
  readonly topics = new Map<number, number>([
    [1, 10],
    [2, 10],
    [2 ** 20 + 1, 30], // in the slot of message 1
  ])
  readonly lookedUp: number[] = []
  beforeAnswer: () => void = () => undefined
  #head = 100
  readonly #log: LoggedEvent[] = []
  readonly #session = {
    dialect: 'sqlite',
    all: async (_sql: string, [list]: [string]) => {
      const ids: number[] = JSON.parse(list)
      this.lookedUp.push(...ids)
      const rows = ids.flatMap((id) => (this.topics.has(id) ? [{ id, topic_id: this.topics.get(id) }] : []))
      this.beforeAnswer()
      return rows
    },
  } as unknown as Session
  readonly #reader = {
    head: async () => ({ eventId: this.#head }),
    hasBetween: async (after: number, upTo: number) => this.#log.some(({ id }) => id > after && id <= upTo),
  } as unknown as EventLogReader

  constructor() {
    this.places.start(this.#head)
  }

  async at(...ids: number[]): Promise<readonly number[]> {
    return this.places.at(this.#session, this.#reader, this.#head, ids as MessageId[], new Pauses())
  }

  move(id: number, topicId: number, isTold = true): void {
    this.topics.set(id, topicId)
    this.#append({ type: 'update_message', update: { message_ids: [id], subject: 'new' } }, isTold)
  }

  delete(id: number): void {
    this.topics.delete(id)
    this.#append({ type: 'delete_message', message_ids: [id] }, true)
  }

  edit(id: number): void {
    this.#append({ type: 'update_message', update: { message_ids: [id] } }, true)
  }

  #append(event: object, isTold: boolean): void {
    this.#head += 1
    const logged = { id: this.#head as EventId, width: 1, event } as unknown as LoggedEvent
    this.#log.push(logged)
    if (isTold) this.places.follow([logged])
  }
}

test('a place is looked up once, and again after the message was moved or deleted', async () => {
  const messages = new Messages()
  assert.deepEqual(await messages.at(1, 2, 3), [10, 10, 0])
  messages.edit(1)
  assert.deepEqual(await messages.at(1, 2, 3), [10, 10, 0])
  assert.deepEqual(messages.lookedUp.splice(0), [1, 2, 3])
  messages.move(2, 20)
  messages.delete(1)
  assert.deepEqual(await messages.at(1, 2, 3), [0, 20, 0])
  assert.deepEqual(messages.lookedUp, [1, 2])
})

test('a place is not kept if the message is moved during the read', async () => {
  for (const isTold of [true, false]) {
    const messages = new Messages()
    messages.beforeAnswer = () => messages.move(1, 20, isTold)
    assert.deepEqual(await messages.at(1), [10])
    messages.beforeAnswer = () => undefined
    assert.deepEqual(await messages.at(1), [20])
  }
})

test('messages that share a slot have their own places', async () => {
  const messages = new Messages()
  for (let turn = 0; turn < 2; turn += 1) {
    assert.deepEqual(await messages.at(1), [10])
    assert.deepEqual(await messages.at(2 ** 20 + 1), [30])
    assert.deepEqual(await messages.at(1, 2 ** 20 + 1), [10, 30])
  }
})
