import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type OrganizationSize, seedOrganization, settleOrganization } from '../../scripts/bench/organization.ts'
import { demoCredentials, type Running, startServer } from '../../scripts/bench/processes.ts'
import type { DemoCredentials } from '../../server/first-start.ts'
import { ApiClient, basic } from '../../server/testing.ts'
import type { Ground } from './attack.ts'
import { seedGroupGraph } from './group-graph.ts'

const SIZE: OrganizationSize = { messages: 250_000, channels: 500, subscribers: 1000 }
/** Applied to every message: each matches from every `a` on, and fails only at the end. */
const SLOW_LINKIFIERS = ['a.*b|a', 'a.*a.*a.*c|aa', '(?:a?){100}a{100}', '[ab]*a[ab]{14}c|ab']
const MUCH_EDITED = 100
const PASSWORD = 'correct horse'

export interface Battlefield {
  readonly server: Running
  /** The conditions of the next attack: each has a guest of its own. */
  ground(index: number): Ground
  /** Values of Authorization of accounts that only read. */
  readonly readers: readonly string[]
  /** Path of a message that all of them may read. */
  readonly messagePath: string
}

/** Starts a server under default limits for a large organization with `guests` guests and `readers` members. */
export async function prepareGround(dataFolder: string, guests: number, readers: number): Promise<Battlefield> {
  const first = await startServer({ dataFolder })
  const credentials = await demoCredentials(dataFolder)
  const login = credentials.users.owner
  if (!login) throw new Error('the demo organization has no owner')
  const owner = new ApiClient(first.url, login)
  const { id } = await owner.must('POST', '/messages', {
    type: 'channel',
    to: 'general',
    topic: 'quiet',
    content: 'Hi',
  })
  for (const pattern of SLOW_LINKIFIERS) {
    await owner.must('POST', '/realm/filters', { pattern, url_template: 'https://example.com/' })
  }
  const guestLogins = await accounts(owner, 'guest', guests)
  const readerLogins = await accounts(owner, 'reader', readers)
  const [manager] = (await accounts(owner, 'manager', 1)) as [Login]
  const principals = [...guestLogins, ...readerLogins].map(({ user_id }) => user_id)
  await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals })
  for (const { user_id } of guestLogins) await owner.must('PATCH', `/users/${user_id}`, { role: 600 })
  // Only administrators have that much room for groups (SEC-GROUPS-2).
  await owner.must('PATCH', `/users/${manager.user_id}`, { role: 200 })
  await first.stop()

  const file = join(dataFolder, 'parley.sqlite')
  const guestIds = guestLogins.map(({ user_id }) => user_id)
  const seeded = seedOrganization(file, guestIds, SIZE)
  const groups = seedGroupGraph(file, manager.user_id)
  const muchEdited = seedHistories(file, seeded.crowd)
  await settleOrganization(file)
  const server = await startServer({
    dataFolder,
    environment: { PARLEY_RATE_LIMITS: 'on', PARLEY_LOG_LEVEL: 'fatal', PARLEY_MAX_EXPORT_MESSAGES: '1000000' },
  })
  const senderIds = Array.from({ length: 50 }, (_, index) => seeded.senderId + index)
  const authorizationOf = ({ email, api_key }: Login): string => basic(email, api_key)
  return {
    server,
    ground: (index) => ({
      url: server.url,
      guest: authorizationOf(guestLogins[index] as Login),
      channel: 'general',
      crowd: seeded.crowd,
      muchEdited,
      senderIds,
      groups: { manager: authorizationOf(manager), ...groups },
    }),
    readers: readerLogins.map(authorizationOf),
    messagePath: `/api/v1/messages/${id}`,
  }
}

/** Gives the oldest messages of a channel the maximum number of edits. @returns their ids */
function seedHistories(file: string, channel: string): number[] {
  const db = new Sqlite(file)
  const sql = 'select id from message where channel_id = (select id from channel where name = ?) order by id limit ?'
  const ids = db.prepare(sql).pluck().all(channel, MUCH_EDITED) as number[]
  const versions = Array.from({ length: 100 }, (_, index) => ({
    user_id: null,
    timestamp: 1_700_000_000 - index,
    prev_content: 'word '.repeat(2000),
    prev_rendered_content: `<p>${'word '.repeat(1998)}</p>`,
  }))
  const update = db.prepare('update message set edit_history = ?, last_edited_at = 1700000000 where id = ?')
  for (const id of ids) update.run(JSON.stringify(versions), id)
  db.close()
  return ids
}

type Login = DemoCredentials['users'][string]

async function accounts(owner: ApiClient, kind: string, count: number): Promise<Login[]> {
  const logins: Login[] = []
  for (let index = 0; index < count; index += 1) {
    const email = `${kind}-${index}@parley.example`
    await owner.must('POST', '/users', { email, password: PASSWORD, full_name: `${kind} ${index}` })
    logins.push(await owner.must('POST', '/fetch_api_key', { username: email, password: PASSWORD }))
  }
  return logins
}
