import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import { parseSearch } from '../../domain/search/query.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { type ApiClient, onBothDatabases, startParley, type TestServer } from '../../server/testing.ts'
import { ofPlaces } from '../pieces.ts'
import type { Session } from '../session.ts'
import { NarrowQuery } from './narrow-query.ts'
import type { ResolvedNarrow, ResolvedTerm, Viewer } from './resolved-narrow.ts'
import { MAX_ROWS } from './window-size.ts'

const MESSAGES = 12_000
/** More topics than a source may have. */
const TOPICS = 25
const ANCHOR = 10 ** 9

/** Records how many rows each statement returned. Each takes at least `ms`. */
function watched(session: Session, ms = 0): { session: Session; rows: number[] } {
  const rows: number[] = []
  const all = async (...call: Parameters<Session['all']>) => {
    const start = performance.now()
    const found = await session.all(...call)
    rows.push(found.length)
    while (performance.now() - start < ms);
    return found
  }
  const own = { ...session, dialect: session.dialect, get: session.get.bind(session), all: all as Session['all'] }
  return { session: own, rows }
}

onBothDatabases('narrows of very many messages', (dialect) => {
  let server: TestServer
  let author: ApiClient
  let viewer: Viewer
  let channelId: ChannelId
  let ids: MessageId[]

  before(async () => {
    server = await startParley(dialect)
    author = await server.newUser()
    viewer = { id: author.userId as UserId, role: ROLE.member }
    const to = server.unique('Crowd')
    await author.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }] })
    channelId = (await author.must('GET', '/get_stream_id', { stream: to })).stream_id
    const topicMessages: number[] = []
    for (let index = 0; index < TOPICS; index += 1) {
      const topic = `topic ${index}`
      const form = { type: 'channel', to, topic, content: 'see https://example.com' }
      topicMessages.push((await author.must('POST', '/messages', form)).id)
      await author.must('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: VISIBILITY.followed })
    }
    await server.inDatabase(async ({ knex }) => {
      const samples = await knex('message').whereIn('id', topicMessages).orderBy('id')
      const first = Number(samples.at(-1).id) + 1
      const rows = Array.from({ length: MESSAGES }, (_, index) => ({ ...samples[index % TOPICS], id: first + index }))
      for (let start = 0; start < MESSAGES; start += 50) await knex('message').insert(rows.slice(start, start + 50))
      const flag = { user_id: viewer.id, flags: FLAG.starred }
      const flags = rows.map(({ id }) => ({ ...flag, message_id: id }))
      for (let start = 0; start < MESSAGES; start += 200) {
        await knex('message_flag').insert(flags.slice(start, start + 200))
      }
      ids = [...topicMessages, ...rows.map(({ id }) => id)] as MessageId[]
    })
  })
  after(() => server.stop())

  /** A term not decided in SQL: each statement returns everything that it looked at. */
  const unsaid = { kind: 'search', query: parseSearch('unsaid'), negated: true } as const
  const narrow = (...terms: ResolvedTerm[]): ResolvedNarrow => ({ terms, isHistoryShared: false })
  const ways: Record<string, () => ResolvedTerm> = {
    channel: () => ({ kind: 'channel', channelId, negated: false }),
    sender: () => ({ kind: 'sender', userId: viewer.id, negated: false }),
    'links, by their index': () => ({ kind: 'has', what: 'link', negated: false }),
    'starred, by the index of flags': () => ({ kind: 'is', what: 'starred', negated: false }),
    'followed topics, of which there are many': () => ({ kind: 'is', what: 'followed', negated: false }),
    'everything, which no index leads to': () => ({ kind: 'id', messageId: 0, negated: true }),
  }

  for (const [name, term] of Object.entries(ways)) {
    test(`SEC-NARROW-1: ${name}: no statement looks at more than 5,000 of them, and all are found`, async () => {
      await server.inDatabase(async (real) => {
        const { session, rows } = watched(real)
        const found = await new NarrowQuery(session, viewer, narrow(term(), unsaid)).before(ANCHOR, MESSAGES * 2)
        assert.deepEqual(found, name.includes('flags') ? ids.slice(TOPICS) : ids)
        assert.ok(Math.max(...rows) <= MAX_ROWS, `${Math.max(...rows)} rows`)
      })
    })
  }

  test('SEC-NARROW-1: ends after the window in which its client left', async () => {
    await server.inDatabase(async (real) => {
      const { session, rows } = watched(real, 15)
      const pauses = new Pauses({ hasLeft: () => true })
      const none = { kind: 'channels', which: 'public', negated: true } as const
      const terms = narrow({ kind: 'channel', channelId, negated: false }, none)
      await assert.rejects(new NarrowQuery(session, viewer, terms, { pauses }).before(ANCHOR, 10), {
        code: 'BAD_REQUEST',
      })
      assert.deepEqual(rows, [0], 'it went on')
    })
  })

  test('takes one statement where the newest match', async () => {
    await server.inDatabase(async (real) => {
      for (const term of Object.values(ways)) {
        const { session, rows } = watched(real)
        assert.equal((await new NarrowQuery(session, viewer, narrow(term())).before(ANCHOR, 100)).length, 100)
        assert.ok(rows.filter((count) => count >= 100).length === 1, `${rows}`)
      }
    })
  })

  test('reads only the requested IDs of each channel or topic', async () => {
    await server.inDatabase(async (session) => {
      const topics = await session.all<{ id: number }>('select id from topic where channel_id = ?', [channelId])
      for (const [column, places] of [
        ['channel_id', [channelId, channelId + 1]],
        ['topic_id', topics.map(({ id }) => id)],
      ] as const) {
        const { sql, params } = ofPlaces(session, 'm.id', column, places, [ids.at(-500) ?? 0, ANCHOR])
        const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain'
        const plan = JSON.stringify(await session.all(`${explain} ${sql}`, params))
        assert.match(plan, dialect === 'sqlite' ? /AND id>\? AND id<\?/ : /"type":"range".*"rows":"?\d{3}\b/)
      }
    })
  })

  const skip = dialect === 'sqlite' && 'has an index that is read in order'
  test('searches frequent words without a list of their messages, and lists those of others once', {
    skip,
  }, async () => {
    // In a transaction of its own: MariaDB indexes when it commits.
    await server.inDatabase(async (session) => {
      await session.run(
        `insert into message_search (message_id, terms) select id, 'zzsee zzhttps zzexample zzcom' from message
         where sender_id = ? and id > ?`,
        [viewer.id, ids[TOPICS - 1] ?? 0],
      )
    })
    await server.inDatabase(async (real) => {
      let lists = 0
      const all = (...call: Parameters<Session['all']>) => {
        if (call[0].includes('against')) lists += 1
        return real.all(...call)
      }
      const session = { ...real, dialect, get: real.get.bind(real), all: all as Session['all'] }
      const search = (operand: string) => ({ kind: 'search', query: parseSearch(operand), negated: false }) as const
      const found = async (limit: number, ...terms: ResolvedTerm[]) => {
        lists = 0
        const query = new NarrowQuery(session, viewer, narrow(...terms))
        const before = await query.before(ANCHOR, limit)
        return { before, after: await query.after(0, limit), lists }
      }
      const channel = { kind: 'channel', channelId, negated: false } as const
      const few = { before: ids.slice(-100), after: ids.slice(0, 100), lists: 0 }
      assert.deepEqual(await found(100, search('see')), few)
      assert.deepEqual(await found(100, channel, search('see')), few)
      assert.deepEqual(await found(ids.length, search('see')), { before: ids, after: ids, lists: 2 })
      const none = { before: [], after: [], lists: 2 }
      assert.deepEqual(await found(1000, search('"com see"')), none)
      assert.deepEqual(await found(1000, channel, search('"com see"')), none)
      const rare = { kind: 'dm', groupId: undefined, negated: false } as const
      assert.deepEqual(await found(100, rare, search('see')), { before: [], after: [], lists: 0 })
    })
  })
})
