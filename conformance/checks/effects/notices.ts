import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { eventOf, heardSoFar, hearsNothing, listen } from '../../kernel/listening.ts'
import { fetched, post, postTo } from '../../kernel/messaging.ts'
import { withOwnSetting } from '../../kernel/own-setting.ts'
import { isSetOf, type Json } from '../../wire/values.ts'
import { succeeds } from '../outcomes.ts'

const capabilities = { notification_settings_null: true, stream_typing_notifications: true, empty_topic_name: true }

/** Contents and recipients of typing notifications, widget events and file events. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/set-typing-status/forms',
    'typing notifications reach all recipients, in every form of the request',
    async (t, shows, { user, other, channel }) => {
      const third = await t.user()
      const queue = await listen(other, ['typing'], { client_capabilities: capabilities })
      const topic = t.unique('typing')
      const inChannel: [Values, Values][] = ['stream', 'channel'].map((type) => [
        { type, stream_id: channel.id, topic },
        { message_type: 'stream', stream_id: channel.id, topic },
      ])
      for (const [values, wanted] of inChannel) {
        const answer = await user.call('set-typing-status', { op: 'start', ...values })
        if (!succeeds(shows, answer, `\`type\` is "${values.type}"`)) return
        const told = await eventOf(shows, queue, { type: 'typing', op: 'start', ...wanted })
        if (told === undefined) return
        const { sender, recipients } = told.event
        shows(told.exchange, sender.user_id === user.userId, `\`sender\` is user ${user.userId}`)
        shows(told.exchange, recipients === undefined, 'no `recipients`: the message is to be for a channel')
        await user.must('set-typing-status', { op: 'stop', ...values })
      }
      for (const to of [[other], [other, third]]) {
        const ids = to.map(({ userId }) => userId)
        const answer = await user.call('set-typing-status', { op: 'start', to: ids })
        if (!succeeds(shows, answer, 'without `type` a direct message is meant')) return
        const told = await eventOf(
          shows,
          queue,
          ({ type, op, message_type: kind, recipients = [] }) => {
            const people = recipients.map(({ user_id: id }: Json) => id)
            return type === 'typing' && op === 'start' && kind === 'direct' && isSetOf(people, [user.userId, ...ids])
          },
          `that user ${user.userId} types to ${ids.join()}`,
        )
        if (told === undefined) return
        shows(told.exchange, told.event.stream_id === undefined, 'no channel: the message is to be a direct one')
      }
    },
  ),
  effectNamed(
    'effects/set-typing-status/unwanted',
    'users who disabled typing notifications do not receive them',
    async (t, shows, { user, other, channel, topic }) => {
      const queue = await listen(other, ['typing', 'typing_edit_message', 'message'], {
        client_capabilities: capabilities,
      })
      await withOwnSetting(other, 'receives_typing_notifications', async (set) => {
        for (const isWanted of [false, true]) {
          await set(isWanted)
          await user.must('set-typing-status', { op: 'start', to: [other.userId] })
          await user.must('set-typing-status', { op: 'start', type: 'stream', stream_id: channel.id, topic })
          const message_id = await postTo(user, [other], 'That was not all.')
          if (t.level >= 361) await user.must('set-typing-status-for-edit', { message_id, op: 'start' })
          const [heard] = (await heardSoFar(shows, [queue], user, other)) ?? []
          if (heard === undefined) return
          const notices = heard.events.filter(({ type }) => type !== 'message').length
          const wanted = isWanted ? (t.level >= 361 ? 3 : 2) : 0
          const says = `${wanted} notices of typing, because \`receives_typing_notifications\` is ${isWanted}`
          shows(heard.exchange, notices === wanted, `${says}; but ${notices}`)
        }
      })
    },
  ),
  effectNamed(
    'effects/set-typing-status-for-edit/places',
    'a typing notification for an edit has the place of the message, or its participants',
    async (t, shows, { user, other, channel, topic }) => {
      const third = await t.user()
      const queue = await listen(other, ['typing_edit_message'], { client_capabilities: capabilities })
      const people = (...all: Account[]): Values => ({
        type: 'direct',
        user_ids: all.map(({ userId }) => userId).toSorted((one, two) => one - two),
      })
      const places: readonly (readonly [number, Values])[] = [
        [await post(user, channel, topic, 'To be edited.'), { type: 'channel', channel_id: channel.id, topic }],
        [await postTo(user, [other], 'To be edited.'), people(user, other)],
        [await postTo(user, [other, third], 'To be edited.'), people(user, other, third)],
      ]
      for (const [message_id, wanted] of places) {
        await user.must('set-typing-status-for-edit', { message_id, op: 'start' })
        const told = await eventOf(shows, queue, { type: 'typing_edit_message', op: 'start', message_id })
        if (told === undefined) return
        const { user_ids, ...place } = told.event.recipient
        const has = { ...place, user_ids: user_ids?.toSorted((one: number, two: number) => one - two) }
        const fields = ['type', 'channel_id', 'topic', 'user_ids']
        const [found, expected] = [has, wanted].map((one) => JSON.stringify(one, fields))
        shows(told.exchange, found === expected, `\`recipient\` is ${expected}`)
      }
    },
  ),
  effect(
    'add-submessage',
    'a submessage reaches everybody who received the message, its sender included, and nobody else',
    async (t, shows, { user, other, channel, topic }) => {
      const third = await t.user()
      await third.must('subscribe', { subscriptions: [{ name: channel.name }] })
      const types = ['submessage', 'message']
      const [author, voter, reader] = [
        await listen(user, types),
        await listen(other, types),
        await listen(third, types),
      ]
      const poll = '/poll Lunch?\nyes\nno'
      const vote = (key: string): Values => ({
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key, vote: 1 }),
      })
      for (const [message_id, hearing] of [
        [await post(user, channel, topic, poll), [author, voter, reader]],
        [await postTo(user, [other], poll), [author, voter]],
      ] as const) {
        const values = vote('canned,1')
        const answer = await other.call('add-submessage', { message_id, ...values })
        if (answer.status !== 200) t.leaveOut(`there is no poll to vote in: ${answer.body?.msg}`)
        const shown = await fetched(user, message_id)
        const submessage_id = shown.body.message.submessages.at(-1)?.id
        for (const queue of hearing) {
          const wanted = { type: 'submessage', message_id, sender_id: other.userId, submessage_id, ...values }
          if (!(await eventOf(shows, queue, wanted))) return
        }
      }
      await hearsNothing(shows, reader, user, third)
    },
  ),
]
