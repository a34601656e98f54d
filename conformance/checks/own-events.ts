import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../deployment/account.ts'
import { type Event, EventQueue } from '../deployment/event-queue.ts'
import type { Channel } from '../deployment/leaving.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { eventOf, heardOf, listen } from '../kernel/listening.ts'
import { isNow } from '../kernel/messaging.ts'
import { changeSetting } from '../kernel/subscription-setting.ts'
import { estimates } from '../views/channels.ts'
import type { Exchange } from '../wire/http.ts'
import { isSetOf } from '../wire/values.ts'
import { by } from './outcomes.ts'

/** No longer sent, as an event queue for these types shows. */
const formerTypes = ['update_display_settings', 'update_global_notifications']

/** Fields that describe a channel. */
export const describedKeys = [
  ...['stream_id', 'name', 'description', 'rendered_description', 'date_created', 'creator_id', 'invite_only'],
]
const notificationKeys = [
  ...['desktop_notifications', 'email_notifications', 'push_notifications', 'audible_notifications'],
  'wildcard_mentions_notify',
]

export const checks: readonly WrittenCheck[] = [
  {
    id: 'own-events/alert-words',
    title: 'the event about alert words has all of them',
    requirements: ['EV-ALERT-1', 'EV-ALERT-2'],
    async run(t) {
      const user = await t.user()
      const words = [t.unique('first'), t.unique('second')]
      const queue = await listen(user, ['alert_words'])
      await user.must('add-alert-words', { alert_words: words })
      await holdsWords(t, user, queue, 'the words that were added')
      await user.must('remove-alert-words', { alert_words: words.slice(0, 1) })
      if (!(await holdsWords(t, user, queue, 'the words that are left'))) return
      await user.must('remove-alert-words', { alert_words: words })
    },
  },
  {
    id: 'own-events/settings',
    title: 'a change of one’s settings is an event for each of them',
    requirements: [...ids('EV-SETTINGS', [1, 2, 3, 4, 5]), 'LEVEL-439'],
    async run(t) {
      const user = await t.user()
      const types = ['user_settings', ...formerTypes]
      const queue = await EventQueue.open(user, { event_types: types, fetch_event_types: ['user_settings'] })
      const before = queue.registered.body.user_settings ?? {}
      const wanted = {
        starred_message_counts: !before.starred_message_counts,
        color_scheme: before.color_scheme === 2 ? 3 : 2,
        emojiset: before.emojiset === 'text' ? 'google' : 'text',
        default_language: before.default_language === 'de' ? 'en' : 'de',
      }
      for (const [property, value] of Object.entries(wanted)) {
        const changed = await user.call('update-settings', { [property]: value })
        if (changed.status !== 200 || before[property] === undefined) continue // some servers lack the language
        if (!(await settingIsTold(t, queue, property, value))) return
        await user.call('update-settings', { [property]: before[property] }) // restores a given account
        await queue.until({ type: 'user_settings', property })
      }
    },
  },
  {
    id: 'own-events/subscription',
    title: 'the event about new subscriptions has all of their fields',
    requirements: [...ids('EV-SUBADD', [1, 2, 3, 4, 5, 6, 7]), 'EV-OTHER-6'],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      // Differs from the default.
      const wishes = t.isParley ? { topics_policy: 'allow_empty_topic' } : {}
      const channels = [await t.channel(author), await t.channel(author, [], false, wishes)]
      const client_capabilities = { notification_settings_null: true }
      const queue = await listen(reader, ['subscription'], { include_subscribers: 'true', client_capabilities })
      const subscriptions = channels.map(({ name }) => ({ name }))
      const former = await t.user()
      const values = { subscriptions, principals: [former.userId] }
      await author.must('subscribe', values)
      for (const [index, { id }] of channels.entries())
        await changeSetting(former, t.level, { stream_id: id, property: 'color', value: `#0e0e0${index}` })
      await former.must('unsubscribe', { subscriptions: channels.map(({ name }) => name) })
      const again = await listen(former, ['subscription'])
      // Parley ignores case in names of channels.
      const spelled = channels.map(({ name }) => ({ name: t.isParley ? name.toUpperCase() : name }))
      const principals = [reader.userId, former.userId]
      await author.must('subscribe', { subscriptions: spelled, principals })
      const back = await gainedBy(again, channels)
      const theirs = (await former.must('get-subscriptions')).body.subscriptions
      const isTheirs = back.gained.every(({ stream_id, color }) =>
        theirs.some((one: Event) => one.stream_id === stream_id && one.color === color),
      )
      t.that('EV-SUBADD-7', back.exchange, isTheirs, `\`color\` as user ${former.userId} has it, who had left`)
      const { gained, exchange } = await gainedBy(queue, channels)
      const all = channels.map(({ id }) => id)
      const has = gained.map((one) => one.stream_id)
      const isAll = isSetOf(has, all)
      t.that('EV-SUBADD-1', exchange, gained.length > 0, '`subscription` op `add`')
      if (!t.that('EV-SUBADD-2', exchange, isAll, `an object for each of the channels ${all.join(' and ')}`)) return
      const listed = await reader.must('get-subscriptions', { include_subscribers: 'true' })
      for (const subscription of gained) holdsSubscription(t, exchange, subscription, listed)
      const channel = channels[0]
      const change = { stream_id: channel?.id, property: 'color', value: '#0f0f0f' }
      await changeSetting(reader, t.level, change)
      await eventOf(by(t, 'EV-OTHER-6'), queue, { type: 'subscription', op: 'update', ...change })
    },
  },
  {
    id: 'own-events/message-changes',
    title: 'the event about an edit has what it changed, and the empty topic as the client knows it',
    requirements: ['EV-OTHER-12', 'EV-OTHER-15'],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const channel = await t.channel(author, [reader])
      const wanted = { event_types: ['message', 'update_message'], fetch_event_types: ['realm'] }
      const plain = await EventQueue.open(reader, wanted)
      const client_capabilities = { notification_settings_null: true, empty_topic_name: true }
      const capable = await EventQueue.open(reader, { ...wanted, client_capabilities })
      const values = { type: 'stream', to: channel.id, topic: '', content: 'Before.' }
      const nameless = await author.call('send-message', values) // an organization may forbid it
      const id = Number(nameless.body?.id ?? (await author.must('send-message', { ...values, topic: 'edits' })).body.id)
      await author.must('update-message', { message_id: id, content: 'After.' })
      const shownAs = String(plain.registered.body.realm_empty_topic_display_name)
      const isEmpty = nameless.status === 200 && t.level >= 334
      for (const [queue, subject] of [
        [plain, isEmpty ? shownAs : undefined],
        [capable, isEmpty ? '' : undefined],
      ] as const) {
        const { event: sent, exchange: sending } = await queue.until({ type: 'message', message: { id } })
        const isShown = sent?.message.subject === subject
        if (subject !== undefined) t.that('EV-OTHER-15', sending, isShown, `\`subject\` is "${subject}"`)
        if (sent === undefined) return
        const edit = {
          message_id: id,
          message_ids: [id],
          user_id: author.userId,
          stream_id: channel.id,
          rendering_only: false,
          orig_content: 'Before.',
          orig_rendered_content: '<p>Before.</p>',
          content: 'After.',
          rendered_content: '<p>After.</p>',
        }
        const edited = await queue.until({ type: 'update_message', ...edit })
        const { event } = edited
        const isFull = Array.isArray(event?.flags) && isNow(event.edit_timestamp, edited.exchange)
        const says = `\`update_message\` with \`flags\`, \`edit_timestamp\` of now and ${JSON.stringify(edit)}; but ${edited.lacked}`
        t.that('EV-OTHER-12', edited.exchange, isFull, says)
        if (event === undefined) return
      }
    },
  },
]

async function holdsWords(t: CheckContext, user: Account, queue: EventQueue, which: string): Promise<boolean> {
  const heard = await heardOf(by(t, 'EV-ALERT-1'), queue, { type: 'alert_words' }, `\`alert_words\` with ${which}`)
  if (heard === undefined) return false
  const { body } = await user.must('get-alert-words')
  const told: unknown = heard.event.alert_words
  const isWhole = Array.isArray(told) && told.toSorted().join('\n') === body.alert_words.toSorted().join('\n')
  return t.that('EV-ALERT-2', heard.exchange, isWhole, `the whole list: ${JSON.stringify(body.alert_words)}`)
}

async function settingIsTold(t: CheckContext, queue: EventQueue, property: string, value: unknown): Promise<boolean> {
  const { event, events, exchange } = await queue.until({ type: 'user_settings', op: 'update' })
  const isLegacy = events.some(({ type }) => formerTypes.includes(type))
  t.that('LEVEL-439', exchange, !isLegacy, `no event of the types ${formerTypes.join(' and ')}`)
  const says = `\`user_settings\` op \`update\` about ${property}`
  if (!t.that('EV-SETTINGS-1', exchange, event !== undefined, says)) return false
  t.that('EV-SETTINGS-2', exchange, event?.property === property, `\`property\` is "${property}"`)
  t.that('EV-SETTINGS-3', exchange, event?.value === value, `\`value\` is ${JSON.stringify(value)}`)
  if (property !== 'default_language') {
    t.that('EV-SETTINGS-5', exchange, event?.language_name === undefined, 'no `language_name`')
    return true
  }
  const name = value === 'de' ? 'German' : 'English'
  return t.that('EV-SETTINGS-4', exchange, event?.language_name === name, `\`language_name\` is "${name}"`)
}

/** Events about `channels`, until each has one or no more events come. Others may come in between. */
export async function gainedBy(queue: EventQueue, channels: readonly Channel[]) {
  const isOurs = (one: Event): boolean => channels.some(({ id }) => id === one.stream_id)
  const gained: Event[] = []
  for (;;) {
    const { event, exchange } = await queue.until({ type: 'subscription', op: 'add' })
    if (Array.isArray(event?.subscriptions)) gained.push(...event.subscriptions.filter(isOurs))
    if (event === undefined || gained.length >= channels.length) return { gained, exchange }
  }
}

function holdsSubscription(t: CheckContext, exchange: Exchange, told: Event, { body }: Exchange): void {
  const listed = body.subscriptions.find((one: Event) => one.stream_id === told.stream_id) ?? {}
  // Fields that both lack belong to a later level.
  const isSame = told.name !== undefined && describedKeys.every((key) => told[key] === listed[key])
  t.that('EV-SUBADD-3', exchange, isSame, `${describedKeys.join(', ')}, as GET /users/me/subscriptions has them`)
  const people: unknown = told.subscribers ?? told.partial_subscribers
  t.that('EV-SUBADD-4', exchange, Array.isArray(people), '`subscribers` or `partial_subscribers`, an array')
  const isNotified = notificationKeys.every((key) => told[key] === null || typeof told[key] === 'boolean')
  t.that('EV-SUBADD-5', exchange, isNotified, `${notificationKeys.join(', ')}, each a boolean or null`)
  const isOwn = typeof told.pin_to_top === 'boolean' && typeof told.is_muted === 'boolean'
  t.that('EV-SUBADD-6', exchange, isOwn, '`pin_to_top` and `is_muted`, booleans')
  const changing = [...estimates, 'subscribers', 'partial_subscribers', 'subscriber_count', 'color']
  const unlike = Object.keys(listed).filter(
    (key) => !changing.includes(key) && !isDeepStrictEqual(told[key], listed[key]),
  )
  t.that('EV-SUBADD-7', exchange, unlike.length === 0, `also ${unlike.join(', ')}, as in GET /users/me/subscriptions`)
}
