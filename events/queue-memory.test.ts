import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageLogEvent } from '../domain/events/log-event.ts'
import { JsonPieces } from '../domain/json-pieces.ts'
import { EVENT_FORMS_BYTES, LOG_TAIL_BYTES } from '../domain/limits.ts'
import { onEachDatabase } from '../server/testing.ts'
import { ParkedPoll } from './parked-poll.ts'
import type { QueueDescriptor } from './queue-descriptor.ts'
import { beginQueues, PLAIN, VIEWER } from './queues-testing.ts'

/** Maximum length of the HTML of a message. */
const HTML_LENGTH = 256 * 1024

/** One queue for each form of a message. */
const DESCRIPTORS: readonly QueueDescriptor[] = [true, false].flatMap((applyMarkdown) =>
  [true, false].flatMap((clientGravatar) =>
    [true, false].map((empty_topic_name) => ({
      ...PLAIN,
      applyMarkdown,
      clientGravatar,
      capabilities: { empty_topic_name },
    })),
  ),
)

function largeMessage(id: number): MessageLogEvent {
  const message = {
    id,
    type: 'stream',
    sender_id: VIEWER.id,
    stream_id: 1,
    subject: '',
    avatar_url: 'https://parley.example/avatar',
    content: `${id} `.padEnd(HTML_LENGTH, 'é'),
  } as unknown as MessageLogEvent['message']
  return {
    type: 'message',
    message,
    rawContent: `${id} `.padEnd(10_000, 'é'),
    gravatar: true,
    mentionedUserIds: [],
    mentionsChannel: false,
    topicMentionedUserIds: [],
    readBy: [],
    local: undefined,
  }
}

onEachDatabase('memory of event queues', (dialect) => {
  test('SEC-MEM-1: the largest messages take no more than the reserved memory, and reach each client', async (t) => {
    const { db, start, register: registerIn } = await beginQueues(dialect, t)
    const queues = await start()
    const register = (descriptor: QueueDescriptor) => registerIn(queues, descriptor)
    const [waiting, idle] = await Promise.all(
      [DESCRIPTORS, DESCRIPTORS.slice(0, 2)].map((some) => Promise.all(some.map(register))),
    )
    assert(waiting && idle)
    const eventsOf = (fields: string): { id: number; message: { content: string } }[] =>
      JSON.parse(`{${fields}}`).events
    const seen = new Map<string, { last: number; contents: number[] }>()
    const take = (queueId: string, fields: string): void => {
      const before = seen.get(queueId) ?? { last: -1, contents: [] }
      const events = eventsOf(fields)
      const contents = [...before.contents, ...events.map(({ message }) => Number.parseInt(message.content, 10))]
      seen.set(queueId, { last: events.at(-1)?.id ?? before.last, contents })
    }
    const isBounded = (): void => {
      const { tail, forms } = queues.memory
      assert(tail <= LOG_TAIL_BYTES && forms <= EVENT_FORMS_BYTES, `${tail} and ${forms} bytes`)
    }
    const count = 90
    for (let id = 1; id <= count; id += 1) {
      const polls = waiting.map((queueId) => queues.poll(VIEWER, queueId, seen.get(queueId)?.last, true))
      const answers = (await Promise.all(polls)).map((poll) => {
        assert(poll instanceof ParkedPoll, 'nothing is there yet')
        return new Promise((resolve) => poll.whenAnswered(resolve))
      })
      await db.transaction(async (tx) => tx.events.append(largeMessage(id), { to: 'everyone' }))
      for (const [index, answer] of (await Promise.all(answers)).entries()) take(waiting[index] ?? '', String(answer))
      isBounded()
    }
    for (const queueId of idle) {
      while ((seen.get(queueId)?.contents.length ?? 0) < count) {
        const answer = await queues.poll(VIEWER, queueId, seen.get(queueId)?.last, false)
        assert(answer instanceof JsonPieces && answer.short !== undefined)
        assert(answer.short.length < 1_000_000 + 2 * HTML_LENGTH, 'a megabyte, and what comes last')
        take(queueId, answer.short)
        isBounded()
      }
    }
    const all = Array.from({ length: count }, (_, index) => index + 1)
    for (const queueId of [...waiting, ...idle]) assert.deepEqual(seen.get(queueId)?.contents, all)
  })
})
