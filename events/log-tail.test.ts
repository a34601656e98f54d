import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../conformance/seed-testing.ts'
import type { Database } from '../db/database.ts'
import type { LogEvent, LogRecord } from '../domain/events/log-event.ts'
import { fileCleanup } from '../server/process-testing.ts'
import { onEachDatabase, openDatabase } from '../server/testing.ts'
import { EventForms } from './event-forms.ts'
import { LogTail } from './log-tail.ts'

const MAX_BYTES = 64 * 1024

function submessage(content: string): LogEvent {
  return { type: 'submessage', message_id: 1, submessage_id: 1, sender_id: 1, msg_type: 'widget', content }
}

/** Reads everything after `position` like a queue: from memory as far as possible, otherwise from the table. */
async function readAll(tail: LogTail, position: number): Promise<LogRecord[]> {
  const read: LogRecord[] = []
  for (let at = position; at < tail.head; ) {
    const page = tail.reaches(at) ? tail.since(at) : await tail.page(at)
    read.push(...page)
    const last = page.at(-1)
    at = last ? last.id + last.width - 1 : tail.head
  }
  return read
}

const recordOf = (id: number, content: string): LogRecord => ({
  id: id as LogRecord['id'],
  width: 1,
  type: 'submessage',
  audience: { to: 'everyone' },
  payload: JSON.stringify(submessage(content)),
})

const rowOf = ({ id, width, type, audience, payload }: LogRecord) => ({ id, width, type, audience, payload })

onEachDatabase('the tail of the event log', (dialect) => {
  const opened = openDatabase(fileCleanup(), dialect)

  test('stay below its limit of bytes, and return to every reader what the table has', async () => {
    const { db } = await opened
    const event = fc.record({ length: fc.oneof(fc.nat(200), fc.nat(40_000)), width: fc.integer({ min: 1, max: 3 }) })
    const commits = fc.array(fc.array(event, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(commits, fc.array(fc.nat(), { maxLength: 4 }), async (batches, reads) => {
        const tail = new LogTail(db, MAX_BYTES)
        await tail.start()
        const start = tail.head
        let isFollowing = true
        db.onCommitted((events) => {
          if (isFollowing) tail.push(events)
        })
        for (const batch of batches) {
          await db.transaction(async (tx) => {
            for (const { length, width } of batch) {
              tx.events.append(submessage('é'.repeat(length)), { to: 'everyone' }, width)
            }
          })
          assert(tail.bytes <= MAX_BYTES, `${tail.bytes} bytes`)
          const stored = (await db.read.events.after(start, 1_000_000)).map(rowOf)
          for (const position of [start, tail.head, ...reads.map((one) => start + (one % (tail.head - start + 1)))]) {
            const wanted = stored.filter(({ id }) => id > position)
            assert.deepEqual((await readAll(tail, position)).map(rowOf), wanted)
          }
        }
        isFollowing = false
      }),
      { numRuns: 30 },
    )
  })

  test('a page of the table ends after a megabyte; a larger event is alone', async () => {
    const { db } = await opened
    const before = (await db.read.events.head()).eventId
    const lengths = [400_000, 400_000, 400_000, 100, 3_000_000, 100]
    await db.transaction(async (tx) => {
      for (const length of lengths) tx.events.append(submessage('x'.repeat(length)), { to: 'everyone' })
    })
    const sizes: number[] = []
    for (let position: number = before; ; ) {
      const page = await db.read.events.page(position)
      const last = page.at(-1)
      if (!last) break
      sizes.push(page.length)
      position = last.id
    }
    assert.deepEqual(sizes, [3, 2, 1])
  })
})

test('an event larger than the tail is in the table only', () => {
  const tail = new LogTail({} as Database, 1000)
  const record = (id: number, length: number) => recordOf(id, 'x'.repeat(length))
  tail.push([record(1, 1), record(2, 2000)])
  assert.deepEqual([tail.bytes, tail.head, tail.reaches(1), tail.reaches(2)], [0, 2, false, true])
  tail.push([record(3, 1)])
  assert.deepEqual(
    tail.since(2).map(({ id }) => id),
    [3],
  )
})

test('forms of events stay below their limit of bytes, are made once, and again after being dropped', () => {
  const forms = new EventForms(() => true, 100_000)
  const record = (id: number, length: number) => recordOf(id, `${id}`.padEnd(length, '.'))
  const made: string[] = []
  const read = (id: number, variant: string, length = 3000): void => {
    const one = record(id, length)
    const json = forms.json(one, variant, () => {
      made.push(`${id} ${variant}`)
      return { ...forms.eventOf(one), variant }
    })
    assert.deepEqual(JSON.parse(json), { ...JSON.parse(one.payload), variant })
    assert(forms.bytes <= 100_000, `${forms.bytes} bytes`)
  }
  for (const variant of ['a', 'b', 'a', 'b', 'a']) read(1, variant)
  assert.deepEqual(made, ['1 a', '1 b'], 'shared')
  for (let id = 2; id < 40; id += 1) read(id, 'a')
  read(39, 'a')
  read(1, 'a')
  assert.deepEqual(made.slice(-2), ['39 a', '1 a'], 'the newest is there, the oldest had to be made again')
  // Larger than the cache, so it is made each time.
  for (const _ of [1, 2]) read(100, 'a', 60_000)
  assert.deepEqual(made.slice(-2), ['100 a', '100 a'])
})

test('older events are read for each reader, but share their JSON', () => {
  const forms = new EventForms((id) => id > 1)
  const record = (id: number) => recordOf(id, `${id}`)
  const [old, recent] = [record(1), record(2)]
  assert.deepEqual(forms.eventOf(old), forms.eventOf(old))
  assert.notEqual(forms.eventOf(old), forms.eventOf(old))
  assert.equal(forms.eventOf(recent), forms.eventOf(recent))
  const before = forms.bytes
  assert.equal(
    forms.json(old, 'a', () => 1),
    '1',
  )
  assert.equal(
    forms.json(old, 'a', () => 2),
    '1',
  )
  assert(forms.bytes > before)
})
