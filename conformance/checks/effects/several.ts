import type { Account } from '../../deployment/account.ts'
import type { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { eventOf, hearsNothing, listen } from '../../kernel/listening.ts'
import { fetched, post } from '../../kernel/messaging.ts'
import { changeSetting, type SettingChange } from '../../kernel/subscription-setting.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json, listOf } from '../../wire/values.ts'
import { ownOf } from '../subscriptions.ts'

const queues = ['register-queue', 'get-events'] as const

/** Several changes at once, or several kinds: nothing is lost, and each is in its place. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-subscriptions/told',
    'whoever follows one channel and leaves another by one request is told of both, as are the others',
    ['update-subscriptions', 'subscribe', 'get-subscriptions', 'send-message', ...queues],
    async (t, shows) => {
      const { user, other } = await t.scene()
      const [fresh, left] = [await t.channel(other), await t.channel(other, [user])]
      const types = ['subscription', 'message']
      const opened = await Promise.all([user, other].map((person) => listen(person, types)))
      const [own, theirs] = opened as [EventQueue, EventQueue]
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
      await Promise.all(opened.map((queue) => queue.close()))
    },
    'events',
  ),
  effectNamed(
    'effects/update-subscription-settings/told',
    'every setting that is changed with others is told once, muting under both of its names',
    ['update-subscription-settings', 'subscribe', 'send-message', ...queues],
    async (t, shows) => {
      if (t.level < 139) t.leaveOut('before level 139 muting is told under one name')
      const { user, other } = await t.scene()
      const channels = [await t.channel(user, [other]), await t.channel(user, [other])] as const
      const [one, two] = [channels[0].id, channels[1].id]
      const opened = await Promise.all([user, other].map((person) => listen(person, ['subscription', 'message'])))
      const [queue, foreign] = opened as [EventQueue, EventQueue]
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
        shows(
          exchange,
          has.join() === wanted.join(),
          `of channel ${id} ${wanted.join(', ')}, once each; but ${has.join()}`,
        )
      }
      const ids = events.map(({ id }) => Number(id))
      const isRising = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0))
      shows(exchange, isRising, `\`id\` of each event is greater than that of the one before; but ${ids.join()}`)
      // Subscribers of other checks' channels are told to everybody meanwhile.
      await hearsNothing(shows, foreign, user, other, 'subscription', 'update')
      await Promise.all(opened.map((each) => each.close()))
    },
    'events',
  ),
  effectNamed(
    'effects/update-user/several',
    'a name and a role that change at once are both told, however the user was named',
    ['update-user', 'get-user', ...queues],
    async (t, shows) => {
      const { user: watcher } = await t.scene()
      const admin = t.person('administrator')
      const user = await t.newUser()
      const known = await admin.must('get-user', { user_id_or_email: user.userId })
      const { delivery_email: address, email } = known.body.user
      const guest = t.deployment.given.find(({ role }) => role === 'guest')
      const seen = await guest?.call('get-user', { user_id_or_email: user.userId })
      const hearing = guest !== undefined && seen?.status === 200 ? [watcher, guest] : [watcher]
      const opened = await Promise.all(hearing.map((person) => listen(person, ['realm_user'])))
      for (const [named, role] of [
        [user.userId, 300],
        ...(t.level >= 313 ? ([[address ?? email, 600]] as const) : []),
      ] as const) {
        const full_name = t.unique('Both')
        await admin.must('update-user', { user_id_or_email: named, full_name, role })
        const says = `that user ${user.userId} is called "${full_name}" and has the role ${role}`
        for (const queue of opened) {
          const told: Record<string, unknown> = {}
          const isTold = ({ op, person }: Json): boolean => {
            if (op === 'update' && person?.user_id === user.userId) Object.assign(told, person)
            return told.full_name === full_name && told.role === role
          }
          if (!(await eventOf(shows, queue, isTold, says))) return
        }
        const after = await watcher.must('get-user', { user_id_or_email: user.userId })
        const isBoth = after.body.user.full_name === full_name && after.body.user.role === role
        shows(after, isBoth, `\`full_name\` is "${full_name}" and \`role\` ${role}`)
      }
      await Promise.all(opened.map((queue) => queue.close()))
    },
    'admin',
  ),
  effectNamed(
    'effects/add-reaction/order',
    'reactions are in the order in which they were added, wherever they are read',
    ['add-reaction', 'remove-reaction', 'send-message', 'get-message', 'get-messages'],
    async (t, shows) => {
      const { user, other, channel, topic } = await t.scene()
      const third = await t.user()
      const message_id = await post(user, channel, topic, 'In turn, please.')
      const all = [user, other, third].toSorted((one, two) => two.userId - one.userId)
      const given: [Account, string][] = []
      // Several emoji by turns, the newest account first: by emoji or by account would be another order.
      for (const emoji of ['tada', 'octopus', 'heart']) for (const person of all) given.push([person, emoji])
      const turns = given.toSorted(([one, first], [two, second]) => turnOf(all, one, first) - turnOf(all, two, second))
      for (const [person, emoji_name] of turns) await person.must('add-reaction', { message_id, emoji_name })
      const [first] = turns
      if (first === undefined) return
      await first[0].must('remove-reaction', { message_id, emoji_name: first[1] })
      await first[0].must('add-reaction', { message_id, emoji_name: first[1] })
      const wanted = [...turns.slice(1), first].map(([{ userId }, emoji]) => `${emoji} of ${userId}`).join(', ')
      const range = { anchor: message_id, num_before: 0, num_after: 0 }
      const alone = await fetched(other, message_id)
      for (const [exchange, message] of [
        [alone, alone.body.message],
        ...(await Promise.all(
          [{}, { apply_markdown: false }, { narrow: [['stream', channel.name]] }].map(async (values) => {
            const list = await other.must('get-messages', { ...range, ...values })
            return [list, list.body.messages[0]] as const
          }),
        )),
      ] as const) {
        const has = listOf(message?.reactions).map((one: Json) => `${one.emoji_name} of ${one.user_id}`)
        shows(exchange, has.join(', ') === wanted, `the reactions ${wanted}, in this order`)
      }
    },
  ),
  effectNamed(
    'effects/add-reaction/names',
    'an emoji is one, whichever of its names is used',
    ['add-reaction', 'remove-reaction', 'send-message', 'get-message'],
    async (t, shows) => {
      const { user, channel, topic } = await t.scene()
      const message_id = await post(user, channel, topic, 'By any name.')
      const thumb = { emoji_code: '1f44d', reaction_type: 'unicode_emoji' }
      await user.must('add-reaction', { message_id, emoji_name: '+1' })
      for (const values of [{ emoji_name: '+1' }, { emoji_name: 'thumbs_up' }, { emoji_name: '+1', ...thumb }]) {
        const again = await user.call('add-reaction', { message_id, ...values })
        // Each server decides which other names an emoji has.
        if (values.emoji_name === 'thumbs_up' && again.body?.code === 'BAD_REQUEST') continue
        const isKnown = t.level < 193 ? again.status === 400 : again.body?.code === 'REACTION_ALREADY_EXISTS'
        shows(again, isKnown, `REACTION_ALREADY_EXISTS: ${JSON.stringify(values)} is the emoji that is there`)
      }
      const exchange = await fetched(user, message_id)
      const has = listOf(exchange.body.message.reactions).map((one: Json) => one.emoji_code)
      shows(exchange, has.join() === thumb.emoji_code, 'one reaction')
    },
  ),
  effectNamed(
    'effects/get-subscriptions/everybody',
    'bots and guests are among the subscribers of a channel, wherever those are listed',
    ['get-subscriptions', 'get-subscribers', 'subscribe', 'get-users', 'register-queue'],
    async (t, shows) => {
      const { user, other } = await t.scene()
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
        await user.call('delete-queue', { queue_id: state.body.queue_id })
        const list: Exchange = await user.must('get-subscriptions', { include_subscribers })
        for (const exchange of [list, state]) {
          const isRight = isSetOf(ownOf(exchange, channel)?.subscribers, ids)
          shows(exchange, isRight, `${says}, for include_subscribers=${include_subscribers}`)
        }
      }
    },
  ),
]

/** By turns: the first account's first emoji, the second one's second, and so on. */
function turnOf(people: readonly Account[], person: Account, emoji: string): number {
  const [who, what] = [people.indexOf(person), ['tada', 'octopus', 'heart'].indexOf(emoji)]
  return ((what - who + people.length) % people.length) * people.length + who
}
