import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json } from '../../wire/values.ts'
import { ownOf } from '../subscriptions.ts'

const queues = ['register-queue', 'get-events'] as const

export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-subscriptions/told',
    'whoever follows one channel and leaves another by one request is told of both, as are the others',
    ['update-subscriptions', 'subscribe', 'get-subscriptions', 'send-message', ...queues],
    async (t, shows, { user, other }) => {
      const [fresh, left] = [await t.channel(other), await t.channel(other, [user])]
      const types = ['subscription', 'message']
      const [own, theirs] = [await listen(user, types), await listen(other, types)]
      await user.must('update-subscriptions', { add: [{ name: fresh.name }], delete: [left.name] })
      const isOf =
        (op: string, id: number) =>
        ({ type, op: is, subscriptions = [], stream_ids: ids = [], user_ids: people = [] }: Json): boolean =>
          type === 'subscription' &&
          is === op &&
          (op.startsWith('peer_')
            ? ids.includes(id) && people.includes(user.userId)
            : subscriptions.some((one: Json) => one.stream_id === id))
      for (const [queue, wanted] of [
        [own, [['add', fresh.id] as const, ['remove', left.id] as const]],
        [theirs, t.level < 35 ? [] : [['peer_add', fresh.id] as const, ['peer_remove', left.id] as const]],
      ] as const) {
        const found = new Set<string>()
        const areAll = (event: Json): boolean => {
          for (const [op, id] of wanted) if (isOf(op, id)(event)) found.add(`${op} ${id}`)
          return found.size === wanted.length
        }
        const says = `and all before it: ${wanted.map((one) => one.join(' ')).join(', ')}`
        if (wanted.length > 0 && !(await eventOf(shows, queue, areAll, says))) return
      }
      const listed = await user.must('get-subscriptions')
      const isRight = ownOf(listed, fresh) !== undefined && ownOf(listed, left) === undefined
      shows(listed, isRight, `channel ${fresh.id}, and not ${left.id}`)
    },
    'events',
  ),
  effectNamed(
    'effects/get-subscriptions/everybody',
    'bots and guests are among the subscribers of a channel, wherever those are listed',
    ['get-subscriptions', 'get-subscribers', 'subscribe', 'get-users', 'register-queue'],
    async (t, shows, { user, other }) => {
      const channel = await t.channel(user, [other])
      const { members } = (await user.must('get-users')).body
      const bot = members.find((one: Json) => one.is_bot && one.is_active !== false)
      const guest = members.find((one: Json) => one.role === 600 && one.is_active !== false)
      const ids = [user.userId, other.userId]
      for (const one of [bot, guest]) {
        if (one === undefined) continue
        const values = { subscriptions: [{ name: channel.name }], principals: [one.user_id] }
        const added = await user.call('subscribe', values)
        if (added.status === 200) ids.push(one.user_id)
      }
      const says = `\`subscribers\` of channel ${channel.id} are ${ids.join()}`
      const alone = await user.must('get-subscribers', { stream_id: channel.id })
      shows(alone, isSetOf(alone.body.subscribers, ids), says)
      for (const include_subscribers of ['true', ...(t.level >= 412 ? ['partial'] : [])]) {
        const state = await user.must('register-queue', { event_types: ['subscription'], include_subscribers })
        const list: Exchange = await user.must('get-subscriptions', { include_subscribers })
        for (const exchange of [list, state]) {
          const isRight = isSetOf(ownOf(exchange, channel)?.subscribers, ids)
          shows(exchange, isRight, `${says}, for include_subscribers=${include_subscribers}`)
        }
      }
    },
  ),
]
