import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoggedEvent } from '../domain/events/log-event.ts'
import type { EventId } from '../domain/ids.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { byId, KeptRows, type RowSource } from './kept-rows.ts'
import type { Readers } from './repositories.ts'

interface Row {
  readonly id: number
  readonly name: string
}

const pauses = new Pauses()

/**
 * A table with an event log. A read sees the rows of the moment when it was requested. After `hold`, results wait for
 * `answerOne`.
 */
class Table {
  head = 10
  rows = new Map<number, Row>()
  asked: (readonly number[] | 'all')[] = []
  readonly log: LoggedEvent[] = []
  bytes = 100
  #waiting: (() => void)[] | undefined

  readonly kept = new KeptRows<Row>({
    name: 'rows',
    all: () => this.#read('all', [...this.rows.values()]),
    byIds: (_read, ids) =>
      this.#read(
        ids,
        [...this.rows.values()].filter(({ id }) => ids.includes(id)),
      ),
    types: ['realm_user'],
    touched: (event) => (event as unknown as { ids: readonly number[] | 'all' }).ids,
    bytes: () => this.bytes,
  } satisfies RowSource<Row>)

  readonly read = {
    events: {
      head: async () => ({ eventId: this.head }),
      hasBetween: async (position: number, upTo: number) =>
        this.log.some(
          ({ id, event }) => id > position && id <= upTo && (event as unknown as { ids: unknown[] }).ids.length > 0,
        ),
    },
  } as unknown as Readers

  constructor() {
    for (const id of [1, 2, 3]) this.write(id, 'old')
    this.kept.start(this.head)
  }

  write(id: number, name: string): void {
    this.rows.set(id, { id, name })
  }

  /** Commits a change, and announces it at once unless `isTold` is false. */
  change(id: number, name: string, isTold = true): LoggedEvent {
    this.write(id, name)
    return this.append([id], isTold)
  }

  append(ids: readonly number[], isTold = true): LoggedEvent {
    this.head += 1
    const logged = { id: this.head as EventId, width: 1, event: { type: 'realm_user', ids } } as unknown as LoggedEvent
    this.log.push(logged)
    if (isTold) this.kept.follow([logged])
    return logged
  }

  async names(head = this.head): Promise<string[]> {
    return (await this.kept.at(this.read, head, pauses)).map(({ name }) => name)
  }

  /** Makes later reads wait. */
  hold(): void {
    this.#waiting = []
  }

  answerOne(): void {
    this.#waiting?.shift()?.()
  }

  answer(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const resolve of waiting) resolve()
  }

  async #read(what: readonly number[] | 'all', rows: readonly Row[]): Promise<readonly Row[]> {
    this.asked.push(what)
    if (this.#waiting) await new Promise<void>((resolve) => this.#waiting?.push(resolve))
    return rows
  }
}

test('rows are read once, and again after an event about them', async () => {
  const table = new Table()
  const first = await table.kept.at(table.read, table.head, pauses)
  assert.equal(await table.kept.at(table.read, table.head, pauses), first)
  table.change(2, 'new')
  table.change(4, 'new')
  const second = await table.kept.at(table.read, table.head, pauses)
  assert.deepEqual(
    second.map(({ name }) => name),
    ['old', 'new', 'old', 'new'],
  )
  assert.equal(second[0], first[0])
  table.rows.delete(2)
  table.kept.follow([{ id: 13, width: 1, event: { type: 'realm_user', ids: [2] } } as unknown as LoggedEvent])
  table.head = 13
  assert.deepEqual(await table.names(), ['old', 'old', 'new'])
  assert.deepEqual(table.asked, ['all', [2, 4], [2]])
})

test('all rows are read again after an event that may concern any, or on request', async () => {
  const table = new Table()
  await table.names()
  table.write(1, 'new')
  table.kept.follow([{ id: 11, width: 3, event: { type: 'realm_user', ids: 'all' } } as unknown as LoggedEvent])
  table.head = 13
  assert.deepEqual(await table.names(), ['new', 'old', 'old'])
  table.write(1, 'newer')
  table.kept.forget()
  assert.deepEqual(await table.names(), ['newer', 'old', 'old'])
  assert.deepEqual(table.asked, ['all', 'all', 'all'])
})

test('readers of an older or unannounced moment read for themselves', async () => {
  const table = new Table()
  await table.names()
  const past = table.head
  table.change(1, 'new')
  table.rows.set(1, { id: 1, name: 'old' })
  assert.deepEqual(await table.names(past), ['old', 'old', 'old'])
  table.write(1, 'new')
  assert.deepEqual(await table.names(), ['new', 'old', 'old'])
  const untold = table.change(2, 'new', false)
  assert.deepEqual(await table.names(), ['new', 'new', 'old'])
  table.kept.follow([untold])
  assert.deepEqual(await table.names(), ['new', 'new', 'old'])
})

test('an unannounced commit without events about the rows changes nothing', async () => {
  const table = new Table()
  const untold = [table.append([], false)]
  const first = await table.kept.at(table.read, table.head, pauses)
  untold.push(table.append([], false))
  assert.equal(await table.kept.at(table.read, table.head, pauses), first)
  untold.push(table.change(1, 'new', false), table.append([], false))
  assert.deepEqual(await table.names(), ['new', 'old', 'old'])
  table.kept.follow(untold)
  assert.deepEqual(await table.names(), ['new', 'old', 'old'])
  assert.deepEqual(table.asked, ['all', 'all', [1]])
})

test('an event during a read is not lost', async () => {
  for (const isKnown of [false, true]) {
    const table = new Table()
    if (isKnown) await table.names()
    table.change(3, 'new')
    table.hold()
    const slow = table.names()
    await Promise.resolve()
    table.change(1, 'new')
    table.answer()
    assert.deepEqual(await slow, ['old', 'old', 'new'])
    assert.deepEqual(await table.names(), ['new', 'old', 'new'])
  }
})

test('rows of an unannounced commit are not kept', async () => {
  const table = new Table()
  table.hold()
  const slow = table.names()
  await Promise.resolve()
  const untold = table.change(1, 'new', false)
  table.answer()
  await slow
  table.kept.follow([untold])
  assert.deepEqual(await table.names(), ['new', 'old', 'old'])
})

test('two concurrent reads of the same rows keep them one after the other', async () => {
  const table = new Table()
  await table.names()
  table.change(1, 'new')
  table.hold()
  const [first, second] = [table.names(), table.names()]
  await Promise.resolve()
  table.answerOne()
  assert.deepEqual(await first, ['new', 'old', 'old'])
  table.answer()
  for (const names of [await second, await table.names()]) assert.deepEqual(names, ['new', 'old', 'old'])
})

test('rows that are too large to keep are read each time', async () => {
  const table = new Table()
  table.bytes = 30_000_000
  await table.names()
  assert.deepEqual(await table.names(), ['old', 'old', 'old'])
  assert.deepEqual(table.asked, ['all', 'all'])
})

test('with checks, a row that was changed without an event is reported', async () => {
  const table = new Table()
  await table.names()
  await table.kept.check(table.read, table.head, pauses)
  table.write(2, 'else')
  await assert.rejects(
    table.kept.check(table.read, table.head, pauses),
    /^Error: rows in memory: .*old.*stored: .*else/,
  )
  table.rows.delete(2)
  await assert.rejects(table.kept.check(table.read, table.head, pauses), /rows in memory/)
})

test('one map for each list finds rows by ID', async () => {
  const rows = [{ id: 2 }, { id: 5 }]
  assert.equal(byId(rows).get(5), rows[1])
  assert.equal(byId(rows), byId(rows))
})
