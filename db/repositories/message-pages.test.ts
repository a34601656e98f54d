import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { ascending, type MessageId, type UserId } from '../../domain/ids.ts'
import { BLOCK_SIZE, settledBlock } from '../../domain/messages/read-state.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { Random } from '../../server/random-testing.ts'
import { onBothDatabases, openDatabase } from '../../server/testing.ts'
import type { Tx } from '../repositories.ts'
import { channelRows, insertRows, userRows } from '../rows-testing.ts'
import type { MessageHead } from './message-pages.ts'
import type { ViewedMessage } from './viewed-messages.ts'

const USERS = [1, 2, 3, 4]
const CHANNELS = [1, 2, 3]
/** Members by id. A single user can be a conversation too. */
const CONVERSATIONS = [[1], [1, 2], [2, 3, 4]]
/** Messages lie on both sides of a boundary between read-state blocks. */
const FIRST_ID = BLOCK_SIZE - 60
const MESSAGES = 120
const READER = { id: 1 as UserId, role: ROLE.member }
const TEXTS = { content: true, renderedContent: true }

/** Inserts random rows into all tables that a message is read from. */
async function fill(tx: Tx, random: Random): Promise<void> {
  const is = (): boolean => random.int(2) === 1
  const insert = (table: string, rows: readonly Record<string, unknown>[]) => insertRows(tx, table, rows)
  await insert(
    'user',
    userRows(USERS).map((row) => ({ ...row, read_through: FIRST_ID + random.int(MESSAGES) })),
  )
  await insert(
    'channel',
    channelRows(CHANNELS).map((row) => ({ ...row, invite_only: is(), is_archived: is() })),
  )
  const topics = CHANNELS.flatMap((channel) => ['', 'tea'].map((name) => ({ channel_id: channel, name })))
  await insert(
    'topic',
    topics.map((row, index) => ({ ...row, id: index + 1, topic_key: row.name, max_message_id: 1 })),
  )
  await insert(
    'direct_group',
    CONVERSATIONS.map((_, index) => ({ id: index + 1, members_hash: String(index) })),
  )
  for (const [index, members] of CONVERSATIONS.entries()) {
    await insert(
      'direct_group_member',
      members.map((id) => ({ user_id: id, group_id: index + 1 })),
    )
  }
  for (const user of USERS) {
    const followed = CHANNELS.filter(is)
    const own = { color: '#000000', is_muted: false, pin_to_top: false }
    await insert(
      'subscription',
      followed.map((id) => ({ ...own, user_id: user, channel_id: id, is_active: is() })),
    )
    const after = FIRST_ID + random.int(MESSAGES)
    const span = { user_id: user, after_message_id: after, after_event_id: 0 }
    const end = () => (is() ? null : after + random.int(MESSAGES))
    await insert(
      'subscription_span',
      followed.map((id) => ({ ...span, channel_id: id, to_message_id: end() })),
    )
    if (is()) {
      const unread = Array.from({ length: random.int(40) }, () => FIRST_ID + random.int(60))
      await insert('read_block', [{ user_id: user, block: 0, ...settledBlock(unread) }])
    }
  }
  for (let id = FIRST_ID; id < FIRST_ID + MESSAGES; id += 1) await fillMessage(insert, random, id)
}

type Insert = (table: string, rows: readonly Record<string, unknown>[]) => Promise<void>

async function fillMessage(insert: Insert, random: Random, id: number): Promise<void> {
  const is = (): boolean => random.int(2) === 1
  const rarely = (): boolean => random.int(8) === 0
  const channel = random.pick(CHANNELS)
  const place = rarely()
    ? { direct_group_id: 1 + random.int(CONVERSATIONS.length) }
    : { channel_id: channel, origin_channel_id: random.pick(CHANNELS), topic_id: channel * 2 - random.int(2) }
  const history = [{ user_id: 1, timestamp: 2, prev_content: 'é', prev_rendered_content: '<p>é</p>' }]
  await insert('message', [
    {
      ...place,
      id,
      sender_id: random.pick(USERS),
      sent_at: id,
      client: 'website',
      is_me_message: is(),
      has_link: false,
      mentions_channel: is(),
      content: 'é'.repeat(random.int(3)),
      rendered_content: rarely() ? 'x'.repeat(40_000) : '<p>"é"</p>',
      ...(rarely() && { last_edited_at: 5, edit_history: JSON.stringify(history) }),
      ...(rarely() && { last_moved_at: 6 }),
    },
  ])
  const marked = USERS.filter(rarely)
  await insert(
    'message_flag',
    marked.map((user_id) => ({ user_id, message_id: id, flags: random.int(64) })),
  )
  const emoji = { message_id: id, reaction_type: 'unicode_emoji', emoji_code: '1f6e0', emoji_name: 'tools' }
  await insert(
    'reaction',
    USERS.filter(rarely).map((user_id) => ({ ...emoji, user_id })),
  )
  const data = { message_id: id, msg_type: 'widget', content: '{"é":1}' }
  await insert(
    'submessage',
    USERS.filter(rarely).map((sender_id) => ({ ...data, sender_id })),
  )
}

onBothDatabases('pages of messages', (dialect) => {
  test('have each message as it is when read alone', async (t) => {
    const { db } = await openDatabase(t, dialect)
    const random = new Random(seed)
    await db.transaction((tx) => fill(tx, random))
    for (let round = 0; round < 20; round += 1) {
      const viewer = { id: random.pick(USERS) as UserId, role: random.pick([ROLE.member, ROLE.guest]) }
      const ids = Array.from({ length: random.int(40) }, () => (FIRST_ID + random.int(MESSAGES + 5)) as MessageId)
      const alone: ViewedMessage[] = []
      for (const id of ascending(ids)) {
        const viewed = await db.read.messages.viewed(viewer.id, id)
        if (viewed) alone.push(viewed)
      }
      const heads = await db.read.messagePages.heads(viewer, ids, TEXTS)
      const access = ({ wasReceived, channel }: Pick<MessageHead, 'wasReceived' | 'channel'>) => {
        if (!channel) return [wasReceived]
        const isOpen = !channel.inviteOnly && viewer.role !== ROLE.guest
        return [wasReceived, channel.inviteOnly, channel.historyPublicToSubscribers, isOpen || channel.isSubscribed]
      }
      assert.deepEqual(heads.map(access), alone.map(access), `seed ${seed}`)
      const long = new Set<number>(heads.flatMap((head) => (head.isLong ? [head.id] : [])))
      const shown = alone.map(({ message, flags }) => ({ message, flags }))
      const short = shown.filter(({ message }) => !long.has(message.id))
      assert.deepEqual(await db.read.messagePages.messages(heads), short, `seed ${seed}`)
      for (const { message } of alone) assert.equal(long.has(message.id), message.renderedContent.length === 40_000)
    }
  })

  test('read only the requested texts', async (t) => {
    const { db } = await openDatabase(t, dialect)
    await db.transaction((tx) => fill(tx, new Random(1)))
    const ids = Array.from({ length: 9 }, (_, index) => (FIRST_ID + index) as MessageId)
    const read = async (wanted: typeof TEXTS) => {
      const messages = await db.read.messagePages.messages(await db.read.messagePages.heads(READER, ids, wanted))
      return messages.map(({ message }) => [message.content, message.renderedContent])
    }
    const both = await read(TEXTS)
    assert.deepEqual(
      await read({ content: true, renderedContent: false }),
      both.map(([content]) => [content, '']),
    )
    assert.deepEqual(
      await read({ content: false, renderedContent: true }),
      both.map(([, rendered]) => ['', rendered]),
    )
  })
})
