import { operationNamed } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { eventOf, hearsNothing, listen } from '../../kernel/listening.ts'
import { changeSetting, type SettingChange } from '../../kernel/subscription-setting.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json, listOf, objectsIn } from '../../wire/values.ts'
import { ownOf } from '../subscriptions.ts'

const queues = ['register-queue', 'get-events'] as const

export const checks: readonly Check[] = [
  effectNamed(
    'effects/subscribe/many',
    'every channel, every person and every word of a list counts, and no other',
    ['subscribe', 'unsubscribe', 'update-subscriptions', 'get-subscribers', 'add-alert-words', 'remove-alert-words'],
    async (t, shows, { user, other }) => {
      const people = [user, other, await t.user(), await t.user()]
      const names = [1, 2, 3, 4].map(() => t.unique('many'))
      const [left = '', kept = '', ...others] = names
      const all = names.map((name) => ({ name }))
      const follow = async (ask: Promise<Exchange>, wanted: readonly string[], who = user): Promise<void> => {
        const asked = await ask
        shows(asked, asked.status === 200, 'success')
        const list = await who.must('get-subscriptions')
        const has = objectsIn(list.body.subscriptions).map(({ name }) => String(name))
        const ours = names.filter((name) => has.includes(name))
        shows(list, ours.join() === wanted.join(), `of the channels ${names} those with the names ${wanted}`)
      }
      const ids = people.map(({ userId }) => userId)
      await follow(user.call('subscribe', { subscriptions: all, principals: ids }), names)
      const list = await user.must('get-subscriptions')
      for (const name of names) {
        const id = objectsIn(list.body.subscriptions).find((one) => one.name === name)?.stream_id
        const members = await user.must('get-subscribers', { stream_id: id })
        shows(members, isSetOf(members.body.subscribers, ids), `\`subscribers\` of "${name}" are ${ids}`)
      }
      await follow(other.call('unsubscribe', { subscriptions: [left, ...others] }), [kept], other)
      await follow(
        other.call('update-subscriptions', { add: others.map((name) => ({ name })) }),
        [kept, ...others],
        other,
      )
      await follow(
        other.call('update-subscriptions', { delete: [kept, ...others], add: [{ name: left }] }),
        [left],
        other,
      )
      const words = names.map((name) => `word ${name}`)
      for (const [operation, some, wanted] of [
        ['add-alert-words', words, words],
        ['remove-alert-words', words.slice(1), words.slice(0, 1)],
        ['remove-alert-words', words, []],
      ] as const) {
        await other.must(operation, { alert_words: some })
        const own = await other.must('get-alert-words')
        const has = words.filter((word) => listOf(own.body.alert_words).includes(word))
        shows(own, has.join() === wanted.join(), `of the words ${words} those that are ${wanted || 'none'}`)
      }
      const { parameters } = operationNamed(t.deployment.contract, 'get-users')
      if (!parameters.some(({ name }) => name === 'user_ids')) return
      const asked = ids.slice(1)
      const found = await user.must('get-users', { user_ids: asked })
      const has = objectsIn(found.body.members).map(({ user_id: id }) => id)
      shows(found, isSetOf(has, asked), `users ${asked}, and no others`)
    },
  ),
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
    'effects/update-subscription-settings/told',
    'every setting that is changed with others is told once, muting under both of its names',
    ['update-subscription-settings', 'subscribe', 'send-message', ...queues],
    async (t, shows, { user, other }) => {
      if (t.level < 139) t.leaveOut('before level 139 muting is told under one name')
      const channels = [await t.channel(user, [other]), await t.channel(user, [other])] as const
      const [one, two] = [channels[0].id, channels[1].id]
      const types = ['subscription', 'message']
      const [queue, foreign] = [await listen(user, types), await listen(other, types)]
      const [color, last] = ['#00ff7f', '#7f00ff']
      const setting = (stream_id: number, property: string, value: unknown): SettingChange => ({
        ...{ stream_id, property, value },
      })
      const many = [setting(one, 'is_muted', true), setting(two, 'in_home_view', false), setting(one, 'color', color)]
      await user.must('update-subscription-settings', {
        subscription_data: [...many, setting(two, 'pin_to_top', true)],
      })
      await changeSetting(user, t.level, setting(two, 'color', last))
      const end = { type: 'subscription', op: 'update', ...setting(two, 'color', last) }
      const { event, events, exchange, lacked } = await queue.until(end)
      if (!shows(exchange, event !== undefined, `${JSON.stringify(end)}; but ${lacked}`)) return
      for (const id of [one, two]) {
        const told = events.filter(({ op, stream_id: of }) => op === 'update' && of === id)
        const has = told.map(({ property, value }) => `${property} ${value}`).toSorted()
        const further = id === one ? [`color ${color}`] : ['pin_to_top true', `color ${last}`]
        const wanted = ['is_muted true', 'in_home_view false', ...further].toSorted()
        const expected = `of channel ${id} ${wanted.join(', ')}, once each; but ${has.join()}`
        shows(exchange, has.join() === wanted.join(), expected)
      }
      const ids = events.map(({ id }) => Number(id))
      const isRising = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0))
      shows(exchange, isRising, `\`id\` of each event is greater than that of the one before; but ${ids.join()}`)
      // Subscribers of other checks' channels are told to everybody meanwhile.
      await hearsNothing(shows, foreign, user, other, 'subscription', 'update')
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
