import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { FETCHED_TYPES } from '../../client/state/apply-events.ts'
import type { Action } from '../../conformance/laws/action-kind.ts'
import { anyOf, ourKindNames } from '../../conformance/laws/actions.ts'
import { fc } from '../../conformance/seed-testing.ts'
import { Ground, type RunningParley } from '../../server/ground-testing.ts'
import { archiveAt } from '../../server/operator/archive-testing.ts'
import { ApiClient, type Dialect } from '../../server/testing.ts'
import { BOT, GUEST, MEMBER, OURS, OWNER, perform, worldAt } from './ground.ts'
import { Tally } from './tally.ts'

const KEYS = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'] as const

/** All state but people, who come as imported ones, their presence, and their devices. */
const SEEN = FETCHED_TYPES.filter((type) => !['realm_user', 'presence', 'device'].includes(type))
const OF_THE_SERVER = ['queue_id', 'last_event_id', 'server_timestamp', 'idle_queue_timeout_secs', 'idle_queue_timeout']

/** Everything once, in any order. */
export const manyActions: fc.Arbitrary<Action[]> = fc
  .tuple(...ourKindNames.map((name) => anyOf([name], OURS)))
  .chain((actions) => fc.shuffledSubarray(actions as Action[], { minLength: actions.length }))

/** Files of an archive by name, without the time of creation. */
async function whatIsIn(path: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map([...(await archiveAt(path))].map(([name, bytes]) => [name, bytes.toString('latin1')]))
  const { export_time: _, ...title } = JSON.parse(files.get('export.json') ?? '')
  return files.set('export.json', JSON.stringify(title))
}

/** Waits until no export is in progress: its requester then gets a message. */
async function exportsMade(accounts: readonly ApiClient[]): Promise<void> {
  const answers = await Promise.all(accounts.map((account) => account.get('/export/realm')))
  const seen = answers.find(({ status }) => status === 200)
  assert.ok(seen, 'nobody administers the organization any more')
  if (!seen.body.exports.some(({ pending }: { pending: boolean }) => pending)) return
  await delay(20)
  await exportsMade(accounts)
}

interface Seen {
  readonly messages: unknown
  readonly state: Readonly<Record<string, unknown>>
}

/** The view of an account; undefined if it is deactivated. */
async function seenBy(user: ApiClient): Promise<Seen | undefined> {
  const everything = { anchor: 'oldest', num_before: 0, num_after: 5000, apply_markdown: false }
  const { status, body } = await user.get('/messages', everything)
  if (status !== 200) return undefined
  const client_capabilities = { archived_channels: true, notification_settings_null: true, empty_topic_name: true }
  const registered = await user.must('POST', '/register', { fetch_event_types: SEEN, client_capabilities })
  const state = Object.entries(registered).filter(([name]) => !OF_THE_SERVER.includes(name))
  // Each server numbers conversations by itself.
  const messages = body.messages.map(({ recipient_id, ...message }: { type: string; recipient_id: number }) =>
    message.type === 'private' ? message : { ...message, recipient_id },
  )
  return { messages, state: Object.fromEntries(state) }
}

/** The views of all accounts, with new keys, because no archive contains the old ones. */
async function seenByAll(
  ground: Ground,
  { url }: RunningParley,
  ids: readonly number[],
): Promise<(Seen | undefined)[]> {
  const seen: (Seen | undefined)[] = []
  for (const id of ids) {
    const rc = (await ground.run('reset-key', String(id))).join('\n')
    const [email = '', api_key = ''] = ['email', 'key'].map((name) => new RegExp(`^${name}=(.+)$`, 'm').exec(rc)?.[1])
    seen.push(await seenBy(new ApiClient(url, { email, api_key, user_id: id })))
  }
  return seen
}

/**
 * An organization after all these actions is the same after export and import, except for times of exports and secrets:
 * for a second export, and for everybody in it.
 */
export async function checkRoundTrip(t: TestContext, dialect: Dialect, actions: readonly Action[]): Promise<void> {
  const tally = new Tally()
  const ground = await Ground.make(t, dialect, { checkAnswers: false })
  const running = await ground.start()
  const { credentials, as } = running
  assert(credentials)
  const world = await worldAt({ url: running.url, credentials })
  await world.mustMakeChannel([OWNER, MEMBER, GUEST, BOT], false)
  await world.mustMakeChannel([OWNER, MEMBER], true)
  await as('member').upload('kept.txt', 'nobody refers to it')
  const { url: picture } = (await as('member').upload('shown.png', 'no picture')).body
  await as('member').must('POST', '/messages', {
    type: 'channel',
    to: 'general',
    topic: 'a',
    content: `[a](${picture})`,
  })
  for (const action of actions) await perform(world, tally, action)
  await exportsMade(KEYS.map(as))
  const ids = KEYS.map((key) => as(key).userId)
  const before = await seenByAll(ground, running, ids)
  await running.parley.stop()
  const [first, second] = [join(ground.dataFolder, '1.tar.gz'), join(ground.dataFolder, '2.tar.gz')]
  await ground.run('export', first, '--type', 'full_without_consent')

  const other = await Ground.make(t, dialect, { checkAnswers: false }, true)
  await other.run('import', first)
  await other.run('export', second, '--type', 'full_without_consent')
  assert.deepEqual(await whatIsIn(second), await whatIsIn(first))
  const again = await other.start()
  const after = await seenByAll(other, again, ids)
  for (const [index, key] of KEYS.entries()) {
    const [seen, former] = [after[index], before[index]]
    for (const name of Object.keys(former?.state ?? {}))
      assert.deepEqual(seen?.state[name], former?.state[name], `${key}: ${name}`)
    assert.deepEqual(seen?.messages, former?.messages, key)
  }
}
