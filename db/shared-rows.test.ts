import assert from 'node:assert/strict'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import type { Channel } from '../domain/channels/channel.ts'
import { systemClock } from '../domain/clock.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import type { UserGroupDetails } from '../domain/user-groups/wire-user-group.ts'
import { Database } from './database.ts'
import { CHANNELS, USER_GROUPS } from './shared-rows.ts'

const NOTHING: LogEvent = { type: 'tick' }

test('memory answers during a commit about something else', async () => {
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
  /** Reads twice after a commit with this event, while the disk has not confirmed it yet. */
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
    const group_id = 9 // not a system group, whose members follow from the roles
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

test('a channel or a group counts all users in its settings', () => {
  const listed = { direct_members: Array.from({ length: 1000 }, (_, index) => 10_000 + index), direct_subgroups: [] }
  const settings = { can_send_message_group: listed, can_add_subscribers_group: listed }
  const channel = { description: '', renderedDescription: '', groupSettings: settings }
  const group = { description: '', memberIds: [], subgroupIds: [], groupSettings: { can_manage_group: listed } }
  // Each number takes 8 bytes in the row and 6 in each JSON.
  assert.ok(CHANNELS.bytes(channel as unknown as Channel) > 2 * 1000 * 20)
  assert.ok(USER_GROUPS.bytes(group as unknown as UserGroupDetails) > 1000 * 20)
  assert.ok(CHANNELS.bytes({ ...channel, groupSettings: {} } as unknown as Channel) < 5000)
})
