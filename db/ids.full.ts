import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { seed } from '../conformance/seed-testing.ts'
import { systemClock } from '../domain/clock.ts'
import { emptyDatabase, onBothDatabases } from '../server/testing.ts'
import { Database } from './database.ts'

const WRITERS = 6
const TRANSACTIONS = 60

/** Runs the writers, each in its own process. Resolves when all have succeeded. */
async function runWriters(url: string): Promise<void> {
  const script = new URL('ids-writer-testing.ts', import.meta.url).pathname
  const children = Array.from({ length: WRITERS }, (_, index) =>
    spawn(process.execPath, [script, url, String(TRANSACTIONS), String(seed + index)], { stdio: 'inherit' }),
  )
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
  assert.deepEqual(codes, Array(WRITERS).fill(0))
}

/**
 * Polls for ids above the last one seen while `work` runs, as the server's readers do.
 * @returns the ids that exist at the end and that no poll returned
 */
async function missedDuring(
  work: Promise<void>,
  after: (position: number) => Promise<readonly number[]>,
): Promise<{ missed: number[]; seen: number; polls: number }> {
  const seen = new Set<number>()
  let position = 0
  let polls = 0
  const poll = async (): Promise<void> => {
    polls += 1
    for (const id of await after(position)) {
      seen.add(id)
      position = id
    }
  }
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  while (!isOver) await poll()
  await ended
  await poll()
  const missed = (await after(0)).filter((id) => !seen.has(id))
  return { missed, seen: seen.size, polls }
}

onBothDatabases('ids', (dialect) => {
  const skip = dialect === 'sqlite' && 'SQLite is written by one process'

  test(`commit in order with ${WRITERS} writing processes`, { skip }, async () => {
    const { location, remove } = await emptyDatabase(dialect)
    assert(location.kind === 'mariadb')
    const db = await Database.open(location, systemClock)
    const readMessages = async (position: number): Promise<number[]> => {
      const rows = await db.read.session.all<{ id: number }>('select id from message where id > ? order by id', [
        position,
      ])
      return rows.map((row) => row.id)
    }
    const readEvents = async (position: number) =>
      (await db.read.events.after(position, 100_000)).map((event) => event.id)
    try {
      const work = runWriters(location.url)
      const [events, messages] = await Promise.all([missedDuring(work, readEvents), missedDuring(work, readMessages)])
      const context = JSON.stringify({ seed, events, messages })
      assert.deepEqual([events.missed, messages.missed], [[], []], context)
      assert(events.seen > 100 && messages.seen > 100 && events.polls > 20, `too little happened: ${context}`)

      const head = await db.read.events.head()
      const ids = await readMessages(0)
      assert.deepEqual(
        ids,
        Array.from({ length: head.messageId }, (_, index) => index + 1),
        'ids of failed bodies go to the next one',
      )
      let position = 0
      for (const { id, width } of await db.read.events.after(0, 100_000)) {
        assert.equal(id, position + 1)
        position += width
      }
      assert.equal(position, head.eventId)
    } finally {
      await db.close()
      await remove()
    }
  })
})
