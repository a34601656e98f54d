import assert from 'node:assert/strict'
import { readdir, watch } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cleanup, type ServerProcess, StartedProcess, startProcess } from '../../server/process-testing.ts'
import { Random } from '../../server/random-testing.ts'
import type { Answer, Dialect } from '../../server/testing.ts'
import { emptyServer } from './crash-testing.ts'

/** Before the commit, the credentials have a longer name. */
const CREDENTIALS = 'demo-credentials.json'
/** The files that a first start creates, in this order; the organization is committed after the last one. */
const STEPS = ['lock', 'parley.sqlite', 'parley.sqlite-wal', 'secret', CREDENTIALS] as const

/** How far the killed starts had got. */
export interface FirstStartCounts {
  kills: number
  withoutCredentials: number
  /** The organization may have been committed or not. */
  withCredentials: number
  answering: number
}

/**
 * Kills servers in their first start, sometimes twice in a row, and checks that the next start creates what an
 * undisturbed one does, with working credentials.
 */
export async function crashFirstStarts(
  t: Cleanup,
  dialect: Dialect,
  seed: number,
  kills: number,
): Promise<FirstStartCounts> {
  const random = new Random(seed)
  const counts: FirstStartCounts = { kills: 0, withoutCredentials: 0, withCredentials: 0, answering: 0 }
  const undisturbed = await startProcess(t, await emptyServer(t, dialect))
  const expected = await organizationOf(undisturbed)
  await undisturbed.kill('SIGKILL')
  // If all kills came too late, as on a slow or fast machine, a few more are tried.
  const areAllLate = (): boolean => counts.answering === counts.kills
  // With many kills, the short time between credentials and answers is hit sooner or later.
  const isPartMissed = (): boolean => kills >= 20 && (counts.withCredentials === 0 || counts.withoutCredentials === 0)
  const most = (): number => (isPartMissed() ? kills * 4 : areAllLate() ? kills + 20 : kills)
  while (counts.kills < most()) {
    const options = await emptyServer(t, dialect)
    for (let left = 1 + random.int(2); left > 0; left -= 1) {
      const tooLate = new AbortController()
      const moment = momentIn(options.dataFolder, random, tooLate.signal)
      const started = new StartedProcess(t, options)
      await Promise.race([moment, started.prints(/^Parley answers at/m)])
      tooLate.abort()
      await moment
      const { stdout } = await started.kill('SIGKILL')
      counts.kills += 1
      if (stdout.includes('Parley answers at')) counts.answering += 1
      else if ((await readdir(options.dataFolder)).some((name) => name.startsWith(CREDENTIALS)))
        counts.withCredentials += 1
      else counts.withoutCredentials += 1
    }
    const server = await startProcess(t, options)
    assert.deepEqual(await organizationOf(server), expected)
    await assertWorks(server)
    await server.kill('SIGKILL')
  }
  return counts
}

/**
 * A random moment after the spawn, or right after the start has created one of its files, since most of that takes very
 * little time.
 *
 * @param tooLate ends the wait
 */
async function momentIn(folder: string, random: Random, tooLate: AbortSignal): Promise<void> {
  const step = random.pick(['any', ...STEPS] as const)
  const extraMs = random.int(step === 'any' ? 700 : 15)
  try {
    if (step !== 'any') {
      for await (const { filename } of watch(folder, { signal: tooLate })) if (filename?.startsWith(step)) break
    }
    await delay(extraMs, undefined, { signal: tooLate })
  } catch (err) {
    if (!tooLate.aborted) throw err
  }
}

/** The people, channels and messages that are the same in every new organization. */
async function organizationOf(server: ServerProcess): Promise<object> {
  const owner = server.as('owner')
  const { members } = await owner.must('GET', '/users')
  const { streams } = await owner.must('GET', '/streams', { include_all: true })
  const range = { anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false }
  const { messages } = await owner.must('GET', '/messages', range)
  return {
    members: members.map(({ user_id, email, role, is_bot }: Answer['body']) => ({ user_id, email, role, is_bot })),
    // Without ids: MariaDB does not reuse those of a killed start.
    streams: streams.map(({ name, invite_only }: Answer['body']) => ({ name, invite_only })),
    messages: messages.map(({ id, sender_id, content }: Answer['body']) => ({ id, sender_id, content })),
  }
}

/** Every key logs in, the password does, and a message reaches another account. */
async function assertWorks(server: ServerProcess): Promise<void> {
  const { users, password } = server.credentials
  for (const [key, { user_id: userId, email }] of Object.entries(users)) {
    const { body } = await server.as(key).get('/users/me')
    assert.deepEqual([body.result, body.user_id, body.email], ['success', userId, email])
  }
  const login = { username: users.member?.email, password }
  assert.equal((await server.as('member').must('POST', '/fetch_api_key', login)).api_key, users.member?.api_key)
  const { queue_id, last_event_id } = await server.as('guest').must('POST', '/register', { event_types: ['message'] })
  const message = { type: 'channel', to: 'general', topic: 'start', content: 'it works' }
  const { id } = await server.as('bot').must('POST', '/messages', message)
  const { events } = await server.as('guest').must('GET', '/events', { queue_id, last_event_id })
  assert.deepEqual(
    events.map((event: Answer['body']) => event.message.id),
    [id],
  )
}
