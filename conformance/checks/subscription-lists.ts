import type { Account } from '../deployment/account.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Exchange } from '../wire/http.ts'
import { isIntegers, isRefused, isSetOf, type Json, listOf } from '../wire/values.ts'
import { ownOf } from './subscriptions.ts'

/** From this number of subscribers a server may send only some of them. */
const large = 250
const fortnightSeconds = 14 * 24 * 3600

export const checks: readonly WrittenCheck[] = [
  {
    id: 'subscription-lists/subscribers',
    title: 'exactly the channels of the caller are listed, with their subscribers on request',
    requirements: ['SUBS-1', 'SUBS-2', 'SUBS-4', 'SUBS-6', 'SUBS-7', 'SUB-FIELD-10', 'SUB-FIELD-11'],
    conditional: ['SUBS-5', 'SUB-FIELD-13', 'SUB-FIELD-14', 'SUB-FIELD-15'],
    async run(t) {
      const { user: creator, other: reader } = await t.scene()
      const [channel, foreign] = [await t.channel(creator, [reader]), await t.channel(creator)]
      const both = [creator.userId, reader.userId]
      const has = (exchange: Exchange, one: Channel, count: number): boolean => {
        const times = listOf(exchange.body?.subscriptions).filter(({ stream_id: id }) => id === one.id).length
        return t.that('SUBS-4', exchange, times === count, `channel ${one.id} ${count} times`)
      }
      await reader.must('unsubscribe', { subscriptions: [channel.name] })
      has(await reader.must('get-subscriptions'), channel, 0)
      await reader.must('subscribe', { subscriptions: [{ name: channel.name }] })
      for (const values of [{}, { include_subscribers: 'false' }]) {
        const exchange = await reader.must('get-subscriptions', values)
        has(exchange, channel, 1)
        has(exchange, foreign, 0)
        const isSilent = !listOf(exchange.body?.subscriptions).some(
          (one) => 'subscribers' in one || 'partial_subscribers' in one,
        )
        t.that('SUBS-2', exchange, isSilent, 'neither `subscribers` nor `partial_subscribers`')
      }
      for (const value of ['false', 'partial'] as const) {
        const exchange = await reader.call('get-subscriptions', { include_subscribers: value })
        const part = value === 'partial' ? value : undefined
        t.that('SUBS-1', exchange, exchange.status === 200, `an answer to "${value}"`, part)
      }
      const wrong = await reader.call('get-subscriptions', { include_subscribers: 'conformance' })
      t.that('SUBS-1', wrong, isRefused(wrong) && wrong.body.code === 'BAD_REQUEST', 'BAD_REQUEST for another value')
      const whole = await reader.call('get-subscriptions', { include_subscribers: 'true' })
      if (!t.that('SUBS-1', whole, whole.status === 200, 'an answer to "true"')) return
      const areIds = listOf(whole.body?.subscriptions).every(({ subscribers }) => isIntegers(subscribers))
      t.that('SUB-FIELD-10', whole, areIds, 'every `subscribers` is an array of user IDs')
      const isWhole = isSetOf(ownOf(whole, channel)?.subscribers, both)
      t.that('SUBS-7', whole, isWhole, `\`subscribers\` of channel ${channel.id} are ${both}`)
      if (t.level < 412) return
      const partial = await reader.must('get-subscriptions', { include_subscribers: 'partial' })
      const small = ownOf(partial, channel)
      t.that('SUB-FIELD-11', partial, isSetOf(small?.subscribers, both), `\`subscribers\` are ${both}`)
      const later = await reader.must('get-subscriptions', { include_subscribers: 'true' })
      for (const one of listOf(partial.body?.subscriptions)) {
        const [before, after] = [whole, later].map((answer) => ownOf(answer, { id: one.stream_id })?.subscribers)
        if (isIntegers(before) && isIntegers(after)) await comparedLists(t, reader, { one, before, after, partial })
      }
    },
  },
  {
    id: 'subscription-lists/large',
    title: 'the subscribers of a large channel may be listed in part, those of a small one are always complete',
    requirements: ['SUBS-5', 'SUBS-6'],
    conditional: ['SUB-FIELD-13', 'SUB-FIELD-14', 'SUB-FIELD-15'],
    isForAll: true,
    isCostly: true,
    async run(t) {
      const { user: reader } = await t.scene()
      const ids = [reader.userId, ...(await manyOthers(t, reader, large))]
      for (const principals of [ids.slice(0, large - 1), ids.slice(0, large), ids.toSpliced(1, 1)]) {
        const channel = await t.channel(reader)
        await reader.must('subscribe', { subscriptions: [{ name: channel.name }], principals })
        for (const operation of ['get-subscriptions', 'register-queue'] as const) {
          const asked = t.level < 412 ? 'true' : 'partial'
          const partial = await reader.must(operation, { include_subscribers: asked })
          const one = ownOf(partial, channel)
          if (!t.that('SUBS-6', partial, one !== undefined, `a subscription of channel ${channel.id}`)) return
          await comparedLists(t, reader, { one, before: principals, after: principals, partial })
        }
      }
    },
  },
]

/**
 * Ids of `count` active accounts except `reader`, bots first. Missing accounts are created. Accounts of other runs are
 * left out: a run deactivates its people when it ends.
 */
async function manyOthers(t: CheckContext, reader: Account, count: number): Promise<number[]> {
  const owner = t.person('owner')
  const { body } = await owner.must('get-users')
  const others = body.members.filter((user: Json) => {
    const isOfOtherRun = / [0-9a-f]{8} \d/.test(user.full_name) && !t.deployment.isOfThisRun(user.full_name)
    return user.is_active && user.user_id !== reader.userId && !user.is_guest && !isOfOtherRun
  })
  const bots = others.filter((user: Json) => user.is_bot && !user.is_system_bot)
  const ids = [...bots, ...others.filter((user: Json) => !user.is_bot)].map((user: Json) => Number(user.user_id))
  while (ids.length < count) {
    const name = t.unique('One of many')
    const email = `${name.toLowerCase().replaceAll(' ', '-')}@conformance.example`
    const made = await owner.must('create-user', { email, full_name: name, password: t.unique('Many-Many') })
    ids.push(Number(made.body.user_id))
  }
  return ids
}

interface Lists {
  /** A subscription in the answer with `partial`. */
  readonly one: Json
  /** All subscribers of its channel shortly before and after that answer. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  readonly partial: Exchange
}

/** In channels of other checks people may come and go. People in both lists were subscribed all the time. */
async function comparedLists(t: CheckContext, reader: Account, { one, before, after, partial }: Lists): Promise<void> {
  const [earlier, later] = [new Set(before), new Set(after)]
  const there = before.filter((id) => later.has(id))
  const place = `channel ${one.stream_id}, which has ${there.length} subscribers`
  if (Math.max(before.length, after.length) < large) {
    const { subscribers } = one
    const isAlone = isIntegers(subscribers) && !('partial_subscribers' in one)
    if (!t.that('SUBS-6', partial, isAlone, `\`subscribers\` alone in ${place}`)) return
    const missing = there.filter((id) => !subscribers.includes(id))
    t.that('SUBS-6', partial, missing.length === 0, `everybody in \`subscribers\` of ${place}; lacking ${missing}`)
  }
  if (Math.min(before.length, after.length) < large) return
  const isOne = 'subscribers' in one !== 'partial_subscribers' in one
  t.that('SUBS-5', partial, isOne, `either \`subscribers\` or \`partial_subscribers\` in ${place}`)
  if (!('partial_subscribers' in one)) return
  const part: unknown = one.partial_subscribers
  const isSubset = isIntegers(part) && part.every((id) => earlier.has(id) || later.has(id))
  if (!t.that('SUB-FIELD-13', partial, isSubset, `IDs of subscribers only in ${place}`)) return
  const listed = new Set(isIntegers(part) ? part : [])
  const lacking = (ids: readonly number[]): number[] =>
    ids.filter((id) => earlier.has(id) && later.has(id) && !listed.has(id))
  const bots = lacking(await botIds(reader))
  t.that('SUB-FIELD-14', partial, bots.length === 0, `every bot among the subscribers of ${place}; lacking ${bots}`)
  const active = lacking(await activeIds(reader))
  t.that('SUB-FIELD-15', partial, active.length === 0, `everybody active in ${place}; lacking ${active}`)
}

async function botIds(reader: Account): Promise<number[]> {
  const { body } = await reader.must('get-users')
  return body.members.flatMap((user: Json) => (user.is_bot && user.is_active ? [user.user_id] : []))
}

/** People who were active within 14 days, including the caller. */
async function activeIds(reader: Account): Promise<number[]> {
  const report = { status: 'active', last_update_id: -1, history_limit_days: 14 }
  const { body } = await reader.must('update-presence', report)
  const since = body.server_timestamp - fortnightSeconds
  const recent = Object.entries(body.presences as Record<string, Json>).filter(
    ([, presence]) => presence.active_timestamp > since,
  )
  return [reader.userId, ...recent.map(([id]) => Number(id))]
}
