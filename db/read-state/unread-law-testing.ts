import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import type { ChannelId, DirectGroupId, MessageId, UserId } from '../../domain/ids.ts'
import { BLOCK_SIZE, blockOf } from '../../domain/messages/read-state.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { type Dialect, openDatabase } from '../../server/testing.ts'
import type { Tx } from '../repositories.ts'
import { channelRows, insertRows, plainMessage, plainUser } from '../rows-testing.ts'
import { MessagesOfPlaces } from './messages-of-places.ts'
import { settleReadState } from './settle-read-state.ts'
import { UnreadQuery } from './unread-query.ts'
import { UserReadState } from './user-read-state.ts'

type Step =
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly channel: number }
  | { readonly kind: 'send'; readonly channel: number; readonly isReadBySender: boolean }
  | { readonly kind: 'send direct' }
  /** Skips IDs, as if others had sent that many messages elsewhere, so that blocks fill up fast. */
  | { readonly kind: 'skip'; readonly count: number }
  | { readonly kind: 'read' | 'unread'; readonly messages: readonly number[] }
  | { readonly kind: 'read all' }
  | { readonly kind: 'settle' }

const CHANNELS = 3
const channel = fc.nat({ max: CHANNELS - 1 })
const messages = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 12 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('subscribe' as const, 'unsubscribe' as const), channel }) },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('send' as const), channel, isReadBySender: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'send direct' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('skip' as const),
      count: fc.constantFrom(1, 900, BLOCK_SIZE, 3 * BLOCK_SIZE, 14 * BLOCK_SIZE),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('read' as const, 'unread' as const), messages }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'read all' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'settle' as const }) },
)

/** Checks the unread messages by blocks against a list, with subscribing, unsubscribing, skipped ids and settling. */
export async function checkUnreadLaw(t: TestContext, dialect: Dialect, seed: number, numRuns: number): Promise<void> {
  const { db } = await openDatabase(t, dialect)
  let users = 0

  async function newUser(): Promise<UserId> {
    users += 1
    const user = await db.transaction((tx) => tx.users.insert(plainUser(`reader-${users}`)))
    assert(user)
    return user.id
  }

  /** A user with their own channels and conversation. Lists record what they received and have not read. */
  class Reader {
    readonly id: UserId
    readonly #channels: readonly ChannelId[]
    readonly #groupId: DirectGroupId
    readonly #subscribed = new Set<number>()
    readonly received: MessageId[] = []
    readonly unread = new Set<MessageId>()

    constructor(id: UserId, channels: readonly ChannelId[], groupId: DirectGroupId) {
      this.id = id
      this.#channels = channels
      this.#groupId = groupId
    }

    static async begin(): Promise<Reader> {
      const id = await newUser()
      return db.transaction(async (tx) => {
        const channels = Array.from({ length: CHANNELS }, (_, number) => (id * CHANNELS + number) as ChannelId)
        await insertRows(tx, 'channel', channelRows(channels))
        return new Reader(id, channels, await tx.directGroups.make([id]))
      })
    }

    async take(step: Step): Promise<void> {
      switch (step.kind) {
        case 'subscribe':
          if (this.#subscribed.has(step.channel)) return
          this.#subscribed.add(step.channel)
          await db.transaction(async (tx) =>
            tx.subscriptions.subscribe(
              this.#channel(step.channel),
              [{ id: this.id, color: '#000000' }],
              await tx.events.lockedHead(),
            ),
          )
          return
        case 'unsubscribe':
          if (!this.#subscribed.delete(step.channel)) return
          await db.transaction(async (tx) => {
            const head = await tx.events.lockedHead()
            const at = [this.id, this.#channel(step.channel)]
            await tx.session.run('update subscription set is_active = 0 where user_id = ? and channel_id = ?', at)
            await tx.session.run(
              `update subscription_span set to_message_id = ?, to_event_id = ? where user_id = ? and channel_id = ?
                 and to_message_id is null`,
              [head.messageId, head.eventId, ...at],
            )
          })
          return
        case 'send':
          await this.#send(step.channel, step.isReadBySender)
          return
        case 'send direct':
          await this.#send(undefined, false)
          return
        case 'skip':
          await db.transaction(async (tx) => {
            for (let left = step.count; left > 0; left -= 1) await tx.events.nextMessageId()
            // The newest id must belong to a message, here somebody else's.
            const place = { kind: 'direct', groupId: 0 as DirectGroupId } as const
            await tx.messages.insert(plainMessage(await tx.events.nextMessageId(), place))
            tx.events.append({ type: 'tick' }, { to: 'nobody' })
          })
          return
        case 'read':
        case 'unread': {
          const chosen = [...new Set(step.messages)].flatMap((number) => this.received.at(-1 - number) ?? [])
          const changed = await db.transaction((tx) => tx.readState.setRead(this.id, chosen, step.kind === 'read'))
          assert.deepEqual(
            changed,
            chosen.filter((id) => this.unread.has(id) === (step.kind === 'read')),
            'what changed',
          )
          for (const id of chosen) {
            if (step.kind === 'read') this.unread.delete(id)
            else this.unread.add(id)
          }
          return
        }
        case 'read all':
          await db.transaction(async (tx) => {
            const state = await UserReadState.load(tx.session, this.id)
            await tx.readState.markAllRead(this.id, (await state.newestId()) as MessageId)
          })
          this.unread.clear()
          return
        case 'settle':
          while (await db.transaction((tx) => settleReadState(tx, this.id)));
          await this.#checkSettled()
          return
        default:
          step satisfies never
      }
    }

    async check(): Promise<void> {
      const state = await UserReadState.load(db.read.session, this.id)
      const expected = [...this.unread].sort((a, b) => a - b)
      assert.deepEqual(await state.unreadIds(), expected, 'unread ids')
      for (const id of this.received) assert.equal(state.isRead(id), !this.unread.has(id), `message ${id}`)
      const query = new UnreadQuery(db.read.session, { id: this.id, role: ROLE.member })
      const subscribed = new Set([...this.#subscribed].map((number) => this.#channel(number)))
      const { ids: counted, topics, conversations } = await query.newest(1000)
      const rows = await db.read.session.all<{ id: MessageId; channel_id: ChannelId | null }>(
        'select id, channel_id from message where direct_group_id = ? or channel_id in (?, ?, ?) order by id',
        [this.#groupId, ...this.#channels],
      )
      for (const placeId of this.#channels) {
        const messages = new MessagesOfPlaces(db.read.session, 'channel_id', new Pauses())
        const there = rows.filter((row) => this.unread.has(row.id) && row.channel_id === placeId)
        const found = await query.inPlaces([placeId], messages)
        assert.deepEqual(
          found,
          there.map((row) => row.id),
          `unread in channel ${placeId}`,
        )
      }
      const counting = rows.filter(
        (row) => this.unread.has(row.id) && (row.channel_id === null || subscribed.has(row.channel_id)),
      )
      assert.deepEqual(
        counted,
        counting.map((row) => row.id),
        'unread where subscribed',
      )
      const places = new Map<ChannelId | null, unknown>(topics.map(({ channelId, ...topic }) => [channelId, topic]))
      for (const { ids } of conversations) places.set(null, { ids })
      const ofPlaces = [...Map.groupBy(counting, (row) => row.channel_id)].map(([channelId, several]) => {
        const ids = several.map((row) => row.id)
        const topic = { topic: spellingOf(ids.at(-1) ?? 0), isMuted: false }
        return [channelId, { ids, ...(channelId !== null && topic) }] as const
      })
      assert.deepEqual(places, new Map(ofPlaces), 'by conversation')
    }

    #channel(number: number): ChannelId {
      const id = this.#channels[number]
      assert(id !== undefined)
      return id
    }

    /** Each channel has one topic, in two spellings. */
    async #topic(tx: Tx, channelId: ChannelId, messageId: MessageId) {
      const { id: topicId } = await tx.topics.touch(channelId, spellingOf(messageId), messageId)
      return { kind: 'channel' as const, channelId, topicId }
    }

    async #send(number: number | undefined, isReadBySender: boolean): Promise<void> {
      const id = await db.transaction(async (tx) => {
        const messageId = await tx.events.nextMessageId()
        const place =
          number === undefined
            ? { kind: 'direct' as const, groupId: this.#groupId }
            : await this.#topic(tx, this.#channel(number), messageId)
        await tx.messages.insert(plainMessage(messageId, place))
        if (isReadBySender) await tx.readState.setRead(this.id, [messageId], true)
        tx.events.append({ type: 'tick' }, { to: 'nobody' })
        return messageId
      })
      if (number !== undefined && !this.#subscribed.has(number)) return
      this.received.push(id)
      if (!isReadBySender) this.unread.add(id)
    }

    /** Checks that everything below the newest block is settled, and that no row repeats `read_through`. */
    async #checkSettled(): Promise<void> {
      const state = await UserReadState.load(db.read.session, this.id)
      const head = blockOf(await state.newestId())
      assert.deepEqual(state.unsettled(head - 1), [])
      const next = state.blocks.get(blockOf(state.readThrough + 1))
      if (next && blockOf(state.readThrough + 1) < head)
        assert.notEqual(next.bits.length, 0, 'a complete block was kept')
    }
  }

  function spellingOf(id: number): string {
    return id % 2 === 0 ? 'even' : 'EVEN'
  }

  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
      const reader = await Reader.begin()
      for (const step of steps) await reader.take(step)
      await reader.check()
      await reader.take({ kind: 'settle' })
      await reader.check()
    }),
    { numRuns, seed },
  )
}
