import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { systemClock } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import { ROLE } from '../domain/users/roles.ts'
import { fileCleanup } from '../server/process-testing.ts'
import { onBothDatabases, openDatabase } from '../server/testing.ts'
import { Database, type DatabaseLocation } from './database.ts'
import type { Readers, Tx } from './repositories.ts'

const GROUP = 20
const person = { id: 1 as UserId, role: ROLE.member, dateJoined: 0 }

const isIn = ({ organization }: Pick<Readers, 'organization'>): boolean => organization.isIn(GROUP, person)

/** Writes the rows and the event of a change, as an operation does. */
async function change(tx: Tx, op: 'add_members' | 'remove_members'): Promise<void> {
  const row = { group_id: GROUP, user_id: person.id }
  if (op === 'add_members') await tx.session.knex('user_group_member').insert(row)
  else await tx.session.knex('user_group_member').where(row).delete()
  tx.events.append({ type: 'user_group', op, group_id: GROUP, user_ids: [person.id] }, { to: 'everyone' })
}

onBothDatabases('the organization that permissions are decided by', (dialect) => {
  const cleanup = fileCleanup()
  let db: Database
  let location: DatabaseLocation
  before(async () => {
    ;({ db, location } = await openDatabase(cleanup, dialect))
    await db.transaction(({ session: { knex } }) =>
      knex('user_group').insert({ id: GROUP, name: 'crew', description: '', is_system_group: false }),
    )
    await db.readOrganization()
  })

  test('changes when a commit is acknowledged, and not before', async () => {
    let during: boolean | undefined
    await db.transaction(async (tx) => {
      await change(tx, 'add_members')
      during = isIn(db.read)
    })
    assert.deepEqual([during, isIn(db.read)], [false, true])
    await db.transaction((tx) => change(tx, 'remove_members'))
    assert.equal(isIn(db.read), false)
  })

  test('has in a transaction the changes of this one and of earlier ones in the batch', async () => {
    // The last run of each: on MariaDB the failure makes all of them run again.
    const seen = new Map<string, boolean>()
    const look = (name: string, tx: Tx) => seen.set(name, isIn(tx))
    const failed = new Error('not this one')
    const outcomes = await Promise.allSettled([
      db.transaction(async (tx) => look('before', tx)),
      db.transaction(async (tx) => {
        await change(tx, 'add_members')
        look('its own', tx)
        throw failed
      }),
      db.transaction(async (tx) => look('after a failure', tx)),
      db.transaction((tx) => change(tx, 'add_members')),
      db.transaction(async (tx) => look('after an addition', tx)),
      db.transaction((tx) => change(tx, 'remove_members')),
      db.transaction(async (tx) => look('after a removal', tx)),
    ])
    assert.deepEqual(
      outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
      [failed],
    )
    assert.deepEqual(
      [...seen],
      [
        ['before', false],
        ['its own', true],
        ['after a failure', false],
        ['after an addition', true],
        ['after a removal', false],
      ],
    )
    assert.equal(isIn(db.read), false)
  })

  test('has in a transaction the changes of other processes since the last one', async () => {
    const other = await Database.open(location, systemClock)
    try {
      await db.transaction((tx) => change(tx, 'add_members').then(() => assert.equal(isIn(tx), true)))
      await other.transaction((tx) => change(tx, 'remove_members'))
      await db.transaction(async (tx) => assert.equal(isIn(tx), false))
    } finally {
      await other.close()
    }
  })

  test('is the same in memory and in the tables', async () => {
    const changes = { allow_message_editing: false, can_create_groups: { direct_members: [3], direct_subgroups: [] } }
    await db.transaction(async (tx) => {
      const row = { id: 1, uuid: 'u', string_id: '', name: 'n', description: '', created_at: 1, secret_check: '' }
      await tx.session.knex('organization').insert({ ...row, settings: '{"waiting_period_threshold":3}' })
    })
    await db.readOrganization()
    await db.transaction(async (tx) => {
      await tx.organizations.update(changes)
      tx.events.append({ type: 'realm', op: 'update_dict', property: 'default', data: changes }, { to: 'everyone' })
    })
    const opened = await Database.open(location, systemClock)
    const settings = [db, opened].map(({ read }) => read.organization.settings)
    await opened.close()
    assert.deepEqual(settings[0], settings[1])
    const { waiting_period_threshold, allow_message_editing } = settings[0] ?? assert.fail()
    assert.deepEqual([waiting_period_threshold, allow_message_editing], [3, false])
  })

  test('is that of its moment in a snapshot', async () => {
    const members = async (read: Readers) => (await read.userGroups.all()).find(({ id }) => id === GROUP)?.memberIds
    await db.snapshot(async (read) => {
      await members(read)
      await db.transaction((tx) => change(tx, 'add_members'))
      assert.deepEqual([isIn(read), await members(read)], [false, []])
    })
    await db.snapshot(async (read) => assert.deepEqual([isIn(read), await members(read)], [true, [1]]))
    await db.transaction((tx) => change(tx, 'remove_members'))
  })

  test('is read from the tables for a snapshot that is older than memory', async (t) => {
    // Commits a change after the snapshot is taken and its head is read, but before `head` returns.
    const heads = t.mock.method(db.read.events.constructor.prototype, 'head', async function (this: Readers['events']) {
      heads.mock.restore()
      const head = await this.head()
      await db.transaction((tx) => change(tx, 'add_members'))
      return head
    })
    await db.snapshot(async (read) => assert.equal(isIn(read), false))
    assert.equal(isIn(db.read), true)
    await db.transaction((tx) => change(tx, 'remove_members'))
  })
})
