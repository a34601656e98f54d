import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { seed } from '../../conformance/seed-testing.ts'
import { Database, type DatabaseLocation } from '../../db/database.ts'
import { multiplyTopic } from '../../db/rows-testing.ts'
import { systemClock } from '../../domain/clock.ts'
import { type ServerProcess, startProcess } from '../../server/process-testing.ts'
import { Random } from '../../server/random-testing.ts'
import { type Answer, type ApiClient, type Dialect, onEachDatabase } from '../../server/testing.ts'
import { emptyServer } from './crash-testing.ts'

const MESSAGES = 10_000
/** Messages sent through the API; the rest are copies of these. */
const SENT = 100
/** Maximum number of messages in an answer. */
const PAGE = 5000
const STARRED = 3
const TYPES = ['message', 'update_message', 'delete_message', 'stream', 'update_message_flags']

interface Place {
  readonly id: number
  readonly name: string
  readonly topic: string
}

type Json = Answer['body']

/** A channel that everybody reads, and another one that one of them does not read. */
interface Places {
  readonly from: Place
  readonly to: Place
}

interface Scene extends Places {
  /** Messages of the topic, in order. */
  readonly ids: readonly number[]
  /** Queues of the mover, and of the reader who can no longer see the moved messages. */
  readonly queues: { readonly mover: Queue; readonly reader: Queue }
}

interface Queue {
  readonly queue_id: string
  last_event_id: number
}

/** The contents of the two channels, and the events since the last look. */
interface Seen {
  /** All messages of both channels as the mover sees them, oldest first. */
  readonly messages: readonly Json[]
  /** Ids of starred messages and then of mentions. */
  readonly marked: { readonly mover: readonly number[]; readonly reader: readonly number[] }
  /** In the topic, for the reader. */
  readonly unread: readonly number[]
  readonly events: { readonly mover: readonly Json[]; readonly reader: readonly Json[] }
}

onEachDatabase('kill -9 during a move', (dialect) => {
  const kills = dialect === 'sqlite' ? 6 : 4

  test(`${kills} times: of ${MESSAGES} messages all have moved, or none`, async (t) => {
    const counts = await crashMoves(t, dialect, new Random(seed), kills)
    console.log(t.name, counts)
    assert.ok(counts.unmoved > 0, 'every kill came after the move')
  })
})

async function crashMoves(
  t: Parameters<typeof startProcess>[0],
  dialect: Dialect,
  random: Random,
  kills: number,
): Promise<{ kills: number; moved: number; unmoved: number; ms: number }> {
  const options = await emptyServer(t, dialect)
  let server = await startProcess(t, options)
  const places = await prepare(server)
  await server.kill('SIGTERM')
  const ids = await multiply(options.location, places)
  server = await startProcess(t, options)
  const scene = await follow(server, places, ids)
  let before = await look(server, scene)
  // Measures how long a move takes here, to kill in the middle of one, and shows that an undisturbed one ends as
  // expected.
  const start = performance.now()
  await move(server, scene)
  const ms = performance.now() - start
  assert.equal(isMoved(await look(server, scene), before, scene), true)

  const counts = { kills: 0, moved: 0, unmoved: 0, ms: Math.round(ms) }
  let isBack = false
  for (; counts.kills < kills; counts.kills += 1) {
    if (!isBack) {
      await moveBack(server, scene)
      before = await look(server, scene)
    }
    // The kills are spread over the move; the last one may come after it.
    const at = ((counts.kills + random.int(1000) / 1000) / kills) * ms * (counts.kills === kills - 1 ? 1.2 : 1)
    const answer = move(server, scene).then(
      () => true,
      () => false,
    )
    await delay(at)
    await server.kill('SIGKILL')
    const isAnswered = await answer
    server = await startProcess(t, options)
    const wasMoved = isMoved(await look(server, scene), before, scene)
    if (isAnswered) assert.equal(wasMoved, true, 'the move was answered with success')
    counts[wasMoved ? 'moved' : 'unmoved'] += 1
    isBack = !wasMoved
  }
  // The rest of a killed move blocks nobody.
  if (isBack) {
    await move(server, scene)
    assert.equal(isMoved(await look(server, scene), before, scene), true)
  }
  await server.kill('SIGTERM')
  return counts
}

async function prepare(server: ServerProcess): Promise<Places> {
  const [mover, reader, author] = [server.as('owner'), server.as('member'), server.as('member2')]
  const place = async (name: string, topic: string, people: readonly ApiClient[]): Promise<Place> => {
    const principals = people.map((one) => one.userId)
    const settings = { invite_only: true, history_public_to_subscribers: true }
    await mover.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...settings })
    return { name, topic, id: (await mover.must('GET', '/get_stream_id', { stream: name })).stream_id }
  }
  const from = await place('Everybody', 'here', [mover, reader, author])
  const to = await place('Few', 'there', [mover, author])
  const message = (name: string, topic: string, content: string) =>
    author.must('POST', '/messages', { type: 'channel', to: name, topic, content })
  for (let left = SENT; left > 0; left -= 1) {
    await message(from.name, from.topic, left % 20 === 0 ? 'for @**member** and @**owner**' : `message ${left}`)
  }
  for (const { name } of [from, to]) await message(name, 'stays', 'stays')
  return { from, to }
}

async function multiply(location: DatabaseLocation, { from }: Places): Promise<number[]> {
  const db = await Database.open(location, systemClock)
  const ids = await db.transaction((tx) => multiplyTopic(tx, { channelId: from.id, topic: from.topic }, MESSAGES))
  await db.close()
  return ids
}

async function follow(server: ServerProcess, places: Places, ids: readonly number[]): Promise<Scene> {
  const [mover, reader] = [server.as('owner'), server.as('member')]
  await star(mover, ids)
  await star(reader, ids)
  return { ...places, ids, queues: { mover: await register(mover), reader: await register(reader) } }
}

async function register(client: ApiClient): Promise<Queue> {
  const { queue_id, last_event_id } = await client.must('POST', '/register', {
    event_types: TYPES,
    fetch_event_types: [],
    client_capabilities: { notification_settings_null: true, bulk_message_deletion: true, empty_topic_name: true },
  })
  return { queue_id, last_event_id }
}

async function star(client: ApiClient, ids: readonly number[]): Promise<void> {
  const messages = ids.filter((_, index) => index % Math.ceil(ids.length / STARRED) === 0)
  await client.must('POST', '/messages/flags', { messages, op: 'add', flag: 'starred' })
}

async function move(server: ServerProcess, { from, to, ids }: Scene, isBack = false): Promise<void> {
  const { id: stream_id, topic } = isBack ? from : to
  await server.as('owner').must('PATCH', `/messages/${ids[0]}`, {
    ...{ stream_id, topic, propagate_mode: 'change_all' },
    ...{ send_notification_to_old_thread: !isBack, send_notification_to_new_thread: !isBack },
  })
}

/** Everything as before a move, except for edit histories. */
async function moveBack(server: ServerProcess, scene: Scene): Promise<void> {
  await move(server, scene, true)
  const reader = server.as('member')
  await star(reader, scene.ids)
  await reader.must('POST', '/messages/flags', { messages: scene.ids, op: 'remove', flag: 'read' })
  await look(server, scene)
}

async function look(server: ServerProcess, { from, to, queues }: Scene): Promise<Seen> {
  const [mover, reader] = [server.as('owner'), server.as('member')]
  const messages: Json[] = []
  for (const place of [from, to]) {
    const found = await messagesIn(mover, [{ operator: 'channel', operand: place.id }])
    await checkPlace(mover, place, found)
    messages.push(...found)
  }
  const { unread_msgs } = await reader.must('POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags'],
  })
  const unread = unread_msgs.streams.filter(({ stream_id: id, topic }: Json) => id === from.id && topic === from.topic)
  const flagged = async (client: ApiClient, operand: string): Promise<number[]> => {
    const found = await messagesIn(client, [{ operator: 'is', operand }])
    return found.filter(({ stream_id: id }) => [from.id, to.id].includes(id)).map(({ id }) => id)
  }
  const marked = async (client: ApiClient) => [
    ...(await flagged(client, 'starred')),
    ...(await flagged(client, 'mentioned')),
  ]
  return {
    messages: messages.sort((a, b) => a.id - b.id),
    marked: { mover: await marked(mover), reader: await marked(reader) },
    unread: unread.flatMap((one: Json) => one.unread_message_ids),
    events: { mover: await drain(mover, queues.mover), reader: await drain(reader, queues.reader) },
  }
}

async function messagesIn(client: ApiClient, narrow: readonly object[]): Promise<Json[]> {
  const found: Json[] = []
  for (let anchor = 0; ; anchor = found.at(-1).id) {
    const range = { anchor, include_anchor: false, num_before: 0, num_after: PAGE, apply_markdown: false }
    const { messages, found_newest } = await client.must('GET', '/messages', { narrow, ...range })
    found.push(...messages)
    if (found_newest) return found
  }
}

/** The channel's data matches its messages. */
async function checkPlace(client: ApiClient, place: Place, messages: readonly Json[]): Promise<void> {
  const { streams } = await client.must('GET', '/streams')
  const channel = streams.find((one: Json) => one.stream_id === place.id)
  assert.equal(channel.first_message_id, messages[0]?.id, `the first message of ${place.name}`)
  const newest = new Map(messages.map((message) => [message.subject, message.id]))
  const { topics } = await client.must('GET', `/users/me/${place.id}/topics`, { allow_empty_topic_name: true })
  const listed = topics.map(({ name, max_id }: Json) => [name, max_id])
  assert.deepEqual(
    listed,
    [...newest].toSorted(([, a], [, b]) => b - a),
    `the topics of ${place.name}`,
  )
}

async function drain(client: ApiClient, queue: Queue): Promise<Json[]> {
  const { events } = await client.must('GET', '/events', { ...queue, dont_block: true })
  queue.last_event_id = events.at(-1)?.id ?? queue.last_event_id
  return events.map(({ id: _, ...event }: Json) => event)
}

/** Includes the notices of earlier moves that came back with the topic. */
function topicIn(messages: readonly Json[], { id, topic }: Place): number[] {
  return messages.filter((one) => one.stream_id === id && one.subject === topic).map((one) => one.id)
}

/** Whether everything is as after the move; otherwise everything must be as before. */
function isMoved(seen: Seen, before: Seen, scene: Scene): boolean {
  const { from, to } = scene
  if (seen.messages.every(({ stream_id: id }, index) => id === before.messages[index]?.stream_id)) {
    assertSame(seen.messages, before.messages, 'messages of which none has moved')
    assert.deepEqual([seen.marked, seen.events], [before.marked, { mover: [], reader: [] }])
    assert.deepEqual(seen.unread, before.unread)
    return false
  }
  const own = new Set(topicIn(before.messages, from))
  const placed = before.messages.map((one) => (own.has(one.id) ? [one.id, to.id, to.topic] : placeOf(one)))
  assertSame(seen.messages.slice(0, placed.length).map(placeOf), placed, 'messages')
  const notices = seen.messages.slice(placed.length)
  const places = notices.map(({ stream_id, subject }) => [stream_id, subject])
  assert.deepEqual(
    places,
    [to, from].map(({ id, topic }) => [id, topic]),
  )
  assert.deepEqual([seen.marked, seen.unread], [{ ...before.marked, reader: [] }, [notices[1].id]])
  // handlers/messages/move-messages*.test.ts checks what a move says of each message, and its events.
  const told = (events: readonly Json[]) =>
    events.flatMap(({ type, flag }) => (type === 'stream' ? [] : (flag ?? type))).toSorted()
  assert.deepEqual(told(seen.events.mover), ['message', 'message', 'update_message'])
  assert.deepEqual(told(seen.events.reader), ['delete_message', 'message', 'read', 'starred'])
  return true
}

function placeOf({ id, stream_id, subject }: Json): readonly unknown[] {
  return [id, stream_id, subject]
}

/** Compares long lists of messages; the first difference is enough. */
function assertSame(seen: readonly Json[], expected: readonly Json[], what: string): void {
  assert.equal(seen.length, expected.length, `how many ${what}`)
  for (const [index, one] of seen.entries()) assert.deepEqual(one, expected[index], what)
}
