import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { FLAG } from '../../../domain/messages/flags.ts'
import { topicKey } from '../../../domain/text/text-keys.ts'
import type { DemoCredentials } from '../../../server/first-start.ts'
import {
  countChannels,
  type SeededOrganization,
  seedOrganization,
  settleOrganization,
  subscriber,
} from '../organization.ts'
import { demoCredentials, startServer } from '../processes.ts'

/** The sizes at which nobody should notice any delay. */
const SIZE = { messages: 250_000, channels: 10_000, subscribers: 10_000 }

const CONVERSATIONS = 5000
const STARRED = 20_000
const TOPIC_POLICIES = 5000
const TOPICS = 10_000
/** Number of newest messages that are unread, including those the reader cannot see. */
const UNREAD = 60_000

/** An organization of the maximum size, with a reader who has the maximum of everything. */
export interface LargeOrganization extends SeededOrganization {
  readonly credentials: DemoCredentials
  /** By ascending id: `seeded-0@parley.example` and so on. */
  readonly userIds: readonly number[]
  /** A channel with very many topics, one message each. */
  readonly topicsChannelId: number
  /** The newest message of the largest channel. */
  readonly crowdMessageId: number
  readonly newestMessageId: number
}

/**
 * Creates the organization in `dataFolder`, in about a minute, most of it for the full-text index. The reader is the
 * demo's member.
 */
export async function makeLargeOrganization(dataFolder: string): Promise<LargeOrganization> {
  await (await startServer({ dataFolder })).stop()
  const credentials = await demoCredentials(dataFolder)
  const readerId = credentials.users.member?.user_id
  if (readerId === undefined) throw new Error('the demo organization has no member')
  const file = join(dataFolder, 'parley.sqlite')
  const seeded = seedOrganization(file, [readerId], SIZE)
  const db = new Sqlite(file)
  db.pragma('synchronous = off')
  try {
    const ids = (sql: string) => db.prepare(sql).pluck().all() as number[]
    const userIds = ids("select id from user where email like 'seeded-%' order by id")
    const channelIds = ids(
      "select id from channel where id >= (select min(id) from channel where name = 'Crowd') order by id",
    )
    const place = db.transaction(() => addLoad(db, { readerId, userIds, channelIds, senderId: seeded.senderId }))()
    const crowdMessageId = db.prepare('select max(id) from message where channel_id = ?').pluck().get(seeded.crowdId)
    db.exec('analyze')
    db.close()
    await settleOrganization(file)
    return { ...seeded, credentials, userIds, ...place, crowdMessageId: crowdMessageId as number }
  } finally {
    db.close()
  }
}

interface People {
  readonly readerId: number
  readonly userIds: readonly number[]
  readonly channelIds: readonly number[]
  readonly senderId: number
}

type Place = Pick<LargeOrganization, 'topicsChannelId' | 'newestMessageId'>

function addLoad(db: Sqlite.Database, { readerId, userIds, channelIds, senderId }: People): Place {
  const subscribe = subscriber(db)
  for (const channelId of channelIds) subscribe(readerId, channelId)
  const [topicsChannelId = 0] = channelIds.slice(-1)
  let id = (db.prepare('select max(id) from message').pluck().get() as number) + 1
  const now = Math.floor(Date.now() / 1000)
  const insert = db.prepare(
    `insert into message (id, sender_id, channel_id, origin_channel_id, topic_id, direct_group_id, sent_at, client,
       is_me_message, has_link, mentions_channel, content, rendered_content)
     values (@id, @senderId, @channelId, @channelId, @topicId, @groupId, ${now}, 'bench', 0, 0, 0, @content, @content)`,
  )
  const insertTopic = db.prepare('insert into topic (channel_id, name, topic_key, max_message_id) values (?, ?, ?, ?)')
  for (let topic = 0; topic < TOPICS; topic += 1, id += 1) {
    const name = `one of many ${topic}`
    const topicId = Number(insertTopic.run(topicsChannelId, name, topicKey(name), id).lastInsertRowid)
    insert.run({ id, senderId, channelId: topicsChannelId, topicId, groupId: null, content: 'short' })
  }
  id =
    addConversations(db, readerId, userIds.slice(0, CONVERSATIONS), (groupId, index) =>
      insert.run({ id: id + index, senderId: readerId, channelId: null, topicId: null, groupId, content: 'hello' }),
    ) + id
  const newestMessageId = id - 1
  db.prepare('update log_head set last_message_id = ?').run(newestMessageId)
  db.prepare('update search_backlog set up_to_message_id = ?').run(newestMessageId)
  db.prepare('delete from read_block where user_id = ? and (block + 1) * 4096 > ?').run(
    readerId,
    newestMessageId - UNREAD,
  )
  addPersonal(db, readerId, userIds, now)
  countChannels(db)
  return { topicsChannelId, newestMessageId }
}

/** Creates a conversation with each of `others`, with one message. @returns their number */
function addConversations(
  db: Sqlite.Database,
  readerId: number,
  others: readonly number[],
  send: (groupId: number, index: number) => void,
): number {
  const group = db.prepare('insert into direct_group (members_hash) values (?)')
  const member = db.prepare('insert into direct_group_member (user_id, group_id) values (?, ?)')
  for (const [index, otherId] of others.entries()) {
    const groupId = Number(group.run(`seeded ${index}`).lastInsertRowid)
    for (const userId of [readerId, otherId]) member.run(userId, groupId)
    send(groupId, index)
  }
  return others.length
}

/** Flags and topics of the reader; status and presence of everybody. */
function addPersonal(db: Sqlite.Database, readerId: number, userIds: readonly number[], now: number): void {
  db.prepare(
    `insert or ignore into message_flag (user_id, message_id, flags) select ?, id, ${FLAG.starred} from message
     where channel_id is not null order by id limit ?`,
  ).run(readerId, STARRED)
  db.prepare(
    `insert or ignore into user_topic (user_id, channel_id, topic_key, topic_name, visibility_policy, last_updated)
     select ?, channel_id, topic_key, name, 1 + id % 3, ? from topic limit ?`,
  ).run(readerId, now, TOPIC_POLICIES)
  const status = db.prepare(
    `insert or ignore into user_status (user_id, status_text, emoji_name, emoji_code, reaction_type, away)
     values (?, 'At lunch', 'octopus', '1f419', 'unicode_emoji', 0)`,
  )
  const presence = db.prepare(
    'insert or ignore into presence (user_id, active_at, connected_at, update_id) values (?, ?, ?, ?)',
  )
  for (const [index, userId] of userIds.entries()) {
    status.run(userId)
    presence.run(userId, now, now, index + 1)
  }
}
