import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { onBothDatabases, openDatabase } from '../../server/testing.ts'
import { newestReceived } from '../read-state/newest-received.ts'
import type { Session } from '../session.ts'
import { NarrowQuery } from './narrow-query.ts'
import { EVERYTHING } from './resolved-narrow.ts'

const NOBODY = { id: 999 as UserId, role: ROLE.member }

/** Records the statements that read a list of rows. */
function watched(session: Session): { session: Session; statements: () => unknown[][] } {
  const all = mock.fn((...call: Parameters<Session['all']>) => session.all(...call))
  return {
    session: { ...session, get: session.get.bind(session), all: all as unknown as Session['all'] },
    statements: () => all.mock.calls.map((call) => call.arguments),
  }
}

onBothDatabases('narrow query', (dialect) => {
  test('never searches messages from before the user’s time', async (t) => {
    const { db } = await openDatabase(t, dialect)
    const { session, statements } = watched(db.read.session)
    assert.equal(await newestReceived(session, NOBODY), undefined)
    const query = new NarrowQuery(session, NOBODY, EVERYTHING)
    assert.deepEqual([await query.before(10 ** 9, 100), await query.after(0, 100)], [[], []])
    assert.deepEqual(statements(), [], 'it looked')
    const other = { kind: 'channel', channelId: 1 as ChannelId, negated: true } as const
    await new NarrowQuery(session, NOBODY, { ...EVERYTHING, terms: [other] }).before(10 ** 9, 100)
    assert.deepEqual(statements(), [], 'it looked')
    await new NarrowQuery(session, NOBODY, { ...EVERYTHING, terms: [{ ...other, negated: false }] }).before(1, 1)
    assert.equal(statements().length, 1, 'an index leads to the messages of a channel')
  })
})
