import assert from 'node:assert/strict'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { systemClock } from '../domain/clock.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import { SYSTEM_GROUP_ID } from '../domain/user-groups/system-groups.ts'
import { Database } from './database.ts'

const NOTHING: LogEvent = { type: 'tick' }

test('what is in memory serves while a commit is brought to the disk that is not about it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-shared-'))
  const db = await Database.open({ kind: 'sqlite', file: join(folder, 'p.sqlite'), synchronous: 'FULL' }, systemClock)
  const handle = await open(join(folder, 'other'), 'w')
  const disk = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const look = () =>
    db.snapshot(async (read) => ({
      head: (await read.events.head()).eventId,
      organization: read.organization,
      users: await read.shared.users(),
      groups: await read.shared.userGroups(),
    }))
  /** What is seen of a commit with this event while the disk is slow, and after. */
  const whileOnTheWay = async (event: LogEvent) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const sync = mock.method(disk, 'datasync', () => {
      reached.resolve()
      return promise
    })
    const written = db.transaction(async (tx) => tx.events.append(event, { to: 'everyone' }))
    await reached.promise
    const [seen, again] = [await look(), await look()]
    sync.mock.restore()
    resolve()
    await written
    return { seen, again }
  }
  try {
    const before = await look()
    const { seen } = await whileOnTheWay(NOTHING)
    assert.equal(seen.head, before.head + 1)
    assert.equal(seen.organization, before.organization)
    assert.equal(seen.users, before.users)
    assert.equal(seen.groups, before.groups)
    const group_id = SYSTEM_GROUP_ID['role:members']
    const touched = await whileOnTheWay({ type: 'user_group', op: 'remove_members', group_id, user_ids: [] })
    assert.equal(touched.seen.users, before.users)
    assert.notEqual(touched.seen.groups, before.groups)
    assert.notEqual(touched.again.groups, touched.seen.groups, 'kept before it is told')
    assert.notEqual(touched.seen.organization, before.organization)
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
})
