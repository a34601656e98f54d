import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { fetched, post } from '../kernel/messaging.ts'

const base = { area: 'Other operations', profile: 'core' } as const
const operations = ['subscribe', 'send-message'] as const
const size = 6

/** A range of a topic's messages by position; the anchor may be no message of the topic. */
const anyRange = fc.record({
  anchor: fc.oneof(fc.integer({ min: 0, max: size - 1 }), fc.constantFrom('oldest' as const, 'newest' as const)),
  before: fc.integer({ min: 0, max: size }),
  after: fc.integer({ min: 0, max: size }),
})

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'message-lists/range',
    title: 'messages around an anchor are listed in their order',
    requirements: ['REF-6'],
    also: ['get-messages'],
    operations: [...operations, 'get-messages'],
    async run(t) {
      const { reader, narrow, all } = await topicOf(t)
      await t.property(anyRange, async ({ anchor: place, before, after }) => {
        const anchor = typeof place === 'number' ? all[place] : place
        const exchange = await reader.must('get-messages', { anchor, num_before: before, num_after: after, narrow })
        const found = exchange.body.messages.map(({ id }: { id: number }) => id)
        const wanted = wantedOf(place, before, after).map((index) => all[index])
        const is = (holds: boolean, expected: string): boolean => t.that('REF-6', exchange, holds, expected)
        is(found.join() === wanted.join(), `\`messages\` are ${wanted.join(', ')}, in this order`)
        const { anchor: told, found_anchor: foundAnchor, history_limited: isLimited } = exchange.body
        is(Number.isInteger(told) && (typeof place === 'string' || told === anchor), `\`anchor\` is that of ${anchor}`)
        is(foundAnchor === found.includes(told), '`found_anchor` says whether the anchor is among the messages')
        is(typeof isLimited === 'boolean', '`history_limited` is a boolean')
        const older = place === 'oldest' ? -1 : typeof place === 'number' ? place - before : size - before
        const newer = place === 'newest' ? -1 : size - 1 - after - (typeof place === 'number' ? place : -1)
        is(isEnd(exchange.body.found_oldest, older), '`found_oldest` says whether there are older ones')
        is(isEnd(exchange.body.found_newest, newer), '`found_newest` says whether there are newer ones')
      })
    },
  },
  {
    ...base,
    id: 'message-lists/flags',
    title: 'the messages around an anchor are marked together',
    requirements: ['REF-4'],
    operations: [...operations, 'get-message', 'update-message-flags-for-narrow'],
    async run(t) {
      const { reader, narrow, all } = await topicOf(t)
      const range = { anchor: all[1], num_before: 0, num_after: 2, narrow, op: 'add', flag: 'starred' }
      for (const updated of [3, 0]) {
        const exchange = await reader.must('update-message-flags-for-narrow', range)
        const { processed_count, updated_count, first_processed_id, last_processed_id, found_newest } = exchange.body
        const told = { processed_count, updated_count, first_processed_id, last_processed_id, found_newest }
        const wanted = {
          ...{ processed_count: 3, updated_count: updated, first_processed_id: all[1], last_processed_id: all[3] },
          found_newest: false,
        }
        const isRight = JSON.stringify(told) === JSON.stringify(wanted) && 'found_oldest' in exchange.body
        t.that('REF-4', exchange, isRight, `${JSON.stringify(wanted)} and \`found_oldest\``)
      }
      for (const [index, id] of all.entries()) {
        const exchange = await fetched(reader, id)
        const isStarred = exchange.body.message.flags.includes('starred')
        const isMeant = index >= 1 && index <= 3
        t.that('REF-4', exchange, isStarred === isMeant, `"starred" is ${isMeant ? '' : 'not '}among \`flags\``)
      }
    },
  },
]

interface Topic {
  readonly reader: Account
  readonly narrow: readonly Values[]
  /** Ids of its messages. */
  readonly all: readonly number[]
}

async function topicOf(t: CheckContext): Promise<Topic> {
  const { user: author, other: reader, channel } = await t.scene()
  const topic = t.unique('lists')
  const all: number[] = []
  while (all.length < size) all.push(await post(author, channel, topic, `Message ${all.length + 1}.`))
  const inChannel = { operator: t.level >= 250 ? 'channel' : 'stream', operand: channel.id }
  return { reader, narrow: [inChannel, { operator: 'topic', operand: topic }], all }
}

/** Positions in the topic of the messages in a range. */
function wantedOf(anchor: number | 'oldest' | 'newest', before: number, after: number): number[] {
  const places = Array.from({ length: size }, (_, index) => index)
  if (anchor === 'oldest') return places.slice(0, after)
  if (anchor === 'newest') return places.slice(size - before)
  return places.slice(Math.max(0, anchor - before), anchor + after + 1)
}

/**
 * @param rest how many more there are on that side; with none left either answer is right, and with fewer it is the end
 */
function isEnd(told: unknown, rest: number): boolean {
  return rest === 0 ? typeof told === 'boolean' : told === rest < 0
}
