import Sqlite from 'better-sqlite3'
import { Database } from '../../db/database.ts'
import { CHANNELS_COUNTED } from '../../db/rows-testing.ts'
import { systemClock } from '../../domain/clock.ts'
import { BLOCK_SIZE, blockOf } from '../../domain/messages/read-state.ts'
import { emailKey, nameKey, topicKey } from '../../domain/text/text-keys.ts'
import { countChannelActivity } from '../../jobs/channel-activity.ts'
import { settleReadStates } from '../../jobs/read-state.ts'
import { indexOldMessages } from '../../jobs/search.ts'
import { Random } from '../../server/random-testing.ts'

export interface OrganizationSize {
  readonly messages: number
  readonly channels: number
  /** Number of subscribers of the channel in which everything is measured. */
  readonly subscribers: number
  /** One in this many of the reader's messages is unread; default 1000. */
  readonly unreadOneOf?: number
}

/** Things that the benchmark's requests refer to. */
export interface SeededOrganization {
  readonly crowd: string
  readonly crowdId: number
  /** A subscriber of the largest channel from the beginning, who sends to it. */
  readonly senderId: number
}

const MEMBERS = 1000
const SUBSCRIPTIONS = 20
const TOPICS_A_CHANNEL = 100
const WORDS_A_MESSAGE = 30
/** Nobody waits meanwhile, and a full-text index grows faster in large steps. */
const INDEXED_AT_ONCE = 20_000
const UNREAD_ONE_OF = 1000

/**
 * Does at once what the server's jobs would otherwise do during the measurement: compacts read state, counts messages
 * of channels, and indexes messages. In a server that had received the messages one by one, the jobs would be done
 * already.
 */
export async function settleOrganization(file: string): Promise<void> {
  const db = await Database.open({ kind: 'sqlite', file, synchronous: 'NORMAL' }, systemClock)
  try {
    const jobs = [settleReadStates(db), countChannelActivity(db), indexOldMessages(INDEXED_AT_ONCE)]
    const turn = { transaction: db.transaction.bind(db), signal: new AbortController().signal }
    for (const job of jobs) await job.run(turn)
  } finally {
    await db.close()
  }
}

/**
 * Fills the database of a stopped server that has its demo organization with members, channels, subscriptions and
 * messages, and gives `readerId` unread messages scattered over the whole history. It writes to the tables directly,
 * because a million messages through the API take minutes.
 */
export function seedOrganization(
  file: string,
  readerIds: readonly number[],
  size: OrganizationSize,
): SeededOrganization {
  const db = new Sqlite(file)
  db.pragma('synchronous = off')
  // The same numbers in each run, so that sizes are compared and not luck.
  const random = new Random(482)
  const now = Math.floor(Date.now() / 1000)
  try {
    const seeded = db.transaction(() => {
      const members = insertMembers(db, Math.max(MEMBERS, size.subscribers), now)
      const { channels, crowdId } = insertChannels(db, size.channels, now)
      const subscribe = subscriber(db)
      for (const readerId of readerIds) for (const id of channels.slice(0, 40)) subscribe(readerId, id)
      for (const id of channels.slice(1)) {
        for (let count = 0; count < SUBSCRIPTIONS; count += 1) subscribe(random.pick(members), id)
      }
      for (const id of members.slice(0, size.subscribers - readerIds.length)) subscribe(id, crowdId)
      const senders = members.slice(0, 50)
      // The others have read everything; only the reader's state is measured.
      db.prepare('update user set read_through = ? where email like ?').run(size.messages, 'seeded-%')
      insertMessages(db, { channels, senders, random, count: size.messages, now })
      for (const readerId of readerIds) insertReadState(db, readerId, size)
      countChannels(db)
      return { crowd: 'Crowd', crowdId, senderId: senders[0] as number }
    })
    return seeded()
  } finally {
    db.exec('analyze')
    db.close()
  }
}

/** Updates the counts that the server keeps in the rows of channels. */
export function countChannels(db: Sqlite.Database): void {
  db.exec(`update channel set subscriber_count = counted.subscriber_count, first_message_id = counted.first_message_id
    from (${CHANNELS_COUNTED}) as counted where counted.id = channel.id`)
}

function insertMembers(db: Sqlite.Database, count: number, now: number): number[] {
  const insert = db.prepare(
    `insert into user (email, email_key, full_name, full_name_key, role, is_active, is_bot, can_create_users, timezone,
       avatar_source, avatar_version, date_joined, api_key_hash, api_key_encrypted, read_through, settings)
     values (?, ?, ?, ?, 400, 1, 0, 0, '', 'G', 1, ?, ?, '', 0, '{}')`,
  )
  return Array.from({ length: count }, (_, index) => {
    const email = `seeded-${index}@parley.example`
    const name = `Seeded ${index}`
    return Number(insert.run(email, emailKey(email), name, nameKey(name), now, email).lastInsertRowid)
  })
}

/** The first one has all members. */
function insertChannels(db: Sqlite.Database, count: number, now: number): { channels: number[]; crowdId: number } {
  const insert = db.prepare(
    `insert into channel (name, name_key, description, rendered_description, created_at, invite_only,
       history_public_to_subscribers, is_web_public, is_archived, topics_policy, group_settings)
     values (?, ?, '', '', ?, 0, 1, 0, 0, 'inherit', '{}')`,
  )
  const channels = Array.from({ length: count }, (_, index) => {
    const name = index === 0 ? 'Crowd' : `Seeded ${index}`
    return Number(insert.run(name, nameKey(name), now).lastInsertRowid)
  })
  return { channels, crowdId: channels[0] as number }
}

export function subscriber(db: Sqlite.Database): (userId: number, channelId: number) => void {
  const subscription = db.prepare(
    `insert or ignore into subscription (user_id, channel_id, is_active, color, is_muted, pin_to_top)
     values (?, ?, 1, '#76ce90', 0, 0)`,
  )
  const span = db.prepare(
    'insert into subscription_span (user_id, channel_id, after_message_id, after_event_id) values (?, ?, 0, 0)',
  )
  return (userId, channelId) => {
    if (subscription.run(userId, channelId).changes > 0) span.run(userId, channelId)
  }
}

interface MessageSeed {
  readonly channels: readonly number[]
  readonly senders: readonly number[]
  readonly count: number
  readonly now: number
  readonly random: Random
}

/** Most messages are in a few channels, as in real organizations. */
function insertMessages(db: Sqlite.Database, { channels, senders, count, now, random }: MessageSeed): void {
  const topicOf = new Map<string, number>()
  const insertTopic = db.prepare('insert into topic (channel_id, name, topic_key, max_message_id) values (?, ?, ?, 0)')
  const insert = db.prepare(
    `insert into message (id, sender_id, channel_id, origin_channel_id, topic_id, sent_at, client, is_me_message, has_link,
       mentions_channel, content, rendered_content) values (?, ?, ?, ?, ?, ?, 'bench', 0, 0, 0, ?, ?)`,
  )
  const first = (db.prepare('select last_message_id as id from log_head').get() as { id: number }).id + 1
  const newest = new Map<number, number>()
  for (let id = first; id < first + count; id += 1) {
    const channelId = channels[Math.floor(channels.length * random.fraction() ** 3)] as number
    const topic = `topic ${Math.floor(TOPICS_A_CHANNEL * random.fraction() ** 2)}`
    const key = `${channelId} ${topic}`
    let topicId = topicOf.get(key)
    if (topicId === undefined) {
      topicId = Number(insertTopic.run(channelId, topic, topicKey(topic)).lastInsertRowid)
      topicOf.set(key, topicId)
    }
    newest.set(topicId, id)
    const content = Array.from({ length: WORDS_A_MESSAGE }, () => `word${random.int(5000)}`).join(' ')
    const sender = random.pick(senders)
    insert.run(id, sender, channelId, channelId, topicId, now - (first + count - id), content, `<p>${content}</p>`)
  }
  const touch = db.prepare('update topic set max_message_id = ? where id = ?')
  for (const [topicId, id] of newest) touch.run(id, topicId)
  db.prepare('update log_head set last_message_id = ?').run(first + count - 1)
  db.prepare('update search_backlog set up_to_message_id = ?').run(first + count - 1)
}

/** Inserts blocks of read state: almost all messages of each are read. */
function insertReadState(
  db: Sqlite.Database,
  readerId: number,
  { messages: count, unreadOneOf = UNREAD_ONE_OF }: OrganizationSize,
): void {
  const insert = db.prepare('insert or replace into read_block (user_id, block, form, bits) values (?, ?, 0, ?)')
  for (let block = 0; block <= blockOf(count); block += 1) {
    const bits = new Uint8Array(BLOCK_SIZE / 8).fill(0xff)
    for (let offset = (block * 37) % unreadOneOf; offset < BLOCK_SIZE; offset += unreadOneOf) {
      bits[offset >> 3] = (bits[offset >> 3] ?? 0) & ~(1 << (offset & 7))
    }
    insert.run(readerId, block, bits)
  }
}
