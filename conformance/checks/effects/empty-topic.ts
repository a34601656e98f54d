import type { Account, Values } from '../../deployment/account.ts'
import type { Event, EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { channelWithoutTopics, emptyTopicName, fetched, organizationOf, post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { canonical, isSetOf, type Json, listOf } from '../../wire/values.ts'
import { succeeds } from '../outcomes.ts'

/** The empty topic has two names wherever a topic is sent or returned. */
export const checks: readonly Check[] = [
  {
    ...effectNamed(
      'effects/empty-topic/inputs',
      'both names of the empty topic are accepted wherever a topic is, also in negated terms',
      async (t, shows, { user, other }) => {
        const displayName = String(emptyTopicName(t, await organizationOf(user)))
        const channel = await t.channel(user, [other])
        const [empty, named] = [
          await post(user, channel, '', 'Nameless.'),
          await post(user, channel, 'named', 'Named.'),
        ]
        const range = { anchor: empty, include_anchor: true, num_before: 0, num_after: 100 }
        const inChannel = { operator: 'channel', operand: channel.id }
        for (const operand of ['', displayName]) {
          for (const negated of [false, true]) {
            const narrow = [inChannel, { operator: 'topic', operand, negated }]
            const wanted = negated ? [named] : [empty]
            const says = `message ${wanted} alone, for the topic "${operand}"${negated ? ', negated' : ''}`
            const list = await other.must('get-messages', { ...range, narrow })
            const ids = list.body.messages.map(({ id }: Json) => id)
            shows(list, isSetOf(ids, wanted), says)
            const matching = await other.must('check-messages-match-narrow', { msg_ids: [empty, named], narrow })
            const isMatched = isSetOf(Object.keys(matching.body.messages).map(Number), wanted)
            shows(matching, isMatched, says)
            if (!negated) t.that('EMPTY-6', matching, isMatched, says)
            for (const op of ['add', 'remove']) {
              const values = { ...range, narrow, op, flag: 'starred' }
              const flagged = await other.must('update-message-flags-for-narrow', values)
              shows(flagged, flagged.body.updated_count === 1, `\`updated_count\` is 1: ${says}`)
              const { body } = await fetched(other, wanted[0] ?? 0)
              const isStarred = body.message.flags.includes('starred')
              shows(flagged, isStarred === (op === 'add'), `${op === 'add' ? 'a' : 'no'} star for ${says}`)
            }
          }
          await other.must('update-message-flags', { messages: [empty, named], op: 'remove', flag: 'read' })
          const marked = await other.must('mark-topic-as-read', { stream_id: channel.id, topic_name: operand })
          const readers = await Promise.all([empty, named].map((id) => fetched(other, id)))
          const read = readers
            .filter(({ body }) => body.message.flags.includes('read'))
            .map(({ body }) => body.message.id)
          const expected = `message ${empty} alone is read: the topic "${operand}" is marked as read`
          shows(marked, isSetOf(read, [empty]), expected)
          t.that('EMPTY-5', marked, isSetOf(read, [empty]), expected)
          const pairs = Object.entries({ channel: channel.name, topic: operand })
          const queue = await listen(other, ['message'], { narrow: pairs })
          const [first, second] = [
            await post(user, channel, 'named', 'Not this.'),
            await post(user, channel, '', 'This.'),
          ]
          const says = `message ${second} alone, in a queue for the topic "${operand}"`
          const told = await eventOf(shows, queue, ({ type }) => type === 'message', says)
          if (told === undefined) return
          const words = `${says}; but there is ${told.event.message.id} of ${first}`
          shows(told.exchange, told.event.message.id === second, words)
          await user.must('delete-message', { message_id: second })
          await user.must('delete-message', { message_id: first })
        }
        for (const [operation, topic, values, wanted] of [
          ['update-user-topic', '', { visibility_policy: 3 }, 3],
          ['update-user-topic', displayName, { visibility_policy: 2 }, 2],
          ['update-user-topic', '', { visibility_policy: 0 }, undefined],
          ['mute-topic', displayName, { op: 'add' }, 1],
          ['mute-topic', '', { op: 'remove' }, undefined],
        ] as const) {
          const changed = await other.call(operation, { stream_id: channel.id, topic, ...values })
          if (!succeeds(shows, changed, `"${topic}" is a topic`)) continue
          const state = await other.must('register-queue', {
            event_types: ['user_topic'],
            client_capabilities: capable(true),
          })
          const policies = ofChannel(state.body.user_topics, channel.id)
          const has = policies.map((one: Json) => [one.topic_name, one.visibility_policy])
          const right = wanted === undefined ? [] : [['', wanted]]
          const says = `the policies ${JSON.stringify(right)} in the channel`
          shows(state, canonical(has) === canonical(right), says)
        }
        const edited = await user.call('update-message', { message_id: empty, topic: displayName, content: 'Edited.' })
        const after = await fetched(other, empty, { allow_empty_topic_name: true })
        const { subject } = after.body.message
        succeeds(shows, edited, `message ${empty} is in the topic "${displayName}" already`)
        shows(after, subject === '', '`subject` is "" as before')
      },
      'register-queue',
    ),
    requirements: ['register-queue', 'EMPTY-5', 'EMPTY-6'],
  },
  effectNamed(
    'effects/empty-topic/outputs',
    'the empty topic has the name that the client understands, in all answers and events',
    async (t, shows, { user, other }) => {
      const displayName = String(emptyTopicName(t, await organizationOf(user)))
      const channel = await channelWithoutTopics(t, user, [other])
      const opened = await Promise.all(
        [true, false].map(async (knows) => ({
          topic: knows ? '' : displayName,
          knows,
          queue: await open(other, knows),
          old: await listen(other, ['muted_topics', 'message'], { client_capabilities: capable(knows) }),
        })),
      )
      const id = await post(user, channel, '', 'Nameless, and a search_word.')
      const gone = await post(user, channel, '', 'Not for long.')
      await other.must('update-user-topic', { stream_id: channel.id, topic: '', visibility_policy: 1 })
      await user.must('set-typing-status', { op: 'start', type: 'stream', stream_id: channel.id, topic: displayName })
      await user.must('delete-message', { message_id: gone })
      const moved = await post(user, channel, '', 'Not nameless for long.')
      await user.must('update-message', { message_id: moved, topic: t.unique('named') })
      for (const op of ['add', 'remove']) await other.must('update-message-flags', { messages: [id], op, flag: 'read' })
      if (t.level >= 361) await user.must('set-typing-status-for-edit', { message_id: id, op: 'start' })
      const last = await post(user, channel, '', 'That was all.')
      for (const { topic, knows, queue, old } of opened) {
        const heard = await eventOf(shows, queue, { type: 'message', message: { id: last } }, `of message ${last}`)
        if (heard === undefined) return
        const because = `the client ${knows ? 'knows' : 'does not know'} the empty topic`
        for (const [field, isMeant] of topicFields) {
          if (field.type === 'typing_edit_message' && t.level < 361) continue
          const event = heard.events.findLast((one) => one.type === field.type)
          const says = `\`${field.name}\` of the event ${field.type} is "${topic}": ${because}`
          if (shows(heard.exchange, event !== undefined, `an event of the type ${field.type}`)) {
            shows(heard.exchange, isMeant(event ?? {}) === topic, says)
          }
        }
        const muted = await eventOf(shows, old, { type: 'muted_topics' })
        const rows = listOf(muted?.event.muted_topics).filter((one) => one[0] === channel.name)
        if (muted) shows(muted.exchange, rows[0]?.[1] === topic, `"${topic}" in \`muted_topics\`: ${because}`)
        const state = await stateOf(other, knows)
        const { user_topics: policies, unread_msgs: unread } = state.body
        const expected = `\`topic_name\` is "${topic}": ${because}`
        shows(state, ofChannel(policies, channel.id)[0]?.topic_name === topic, expected)
        const isUnread = ofChannel(unread?.streams, channel.id).some((one) => one.topic === topic)
        shows(state, isUnread, `\`topic\` in \`unread_msgs\` is "${topic}": ${because}`)
      }
      for (const [topic, knows] of [
        ['', true],
        [displayName, false],
      ] as const) {
        const values = { message_id: moved, allow_empty_topic_name: knows }
        const history = await user.must('get-message-history', values)
        const [first, second] = listOf(history.body.message_history)
        const isRight = first?.topic === topic && second?.prev_topic === topic
        shows(history, isRight, `"${topic}", the first topic and the previous one of the second`)
      }
      const narrow = [{ operator: 'search', operand: 'search_word' }]
      const found = await other.must('check-messages-match-narrow', { msg_ids: [id], narrow })
      const { match_subject: subject } = found.body.messages[id] ?? {}
      shows(found, subject === displayName, `\`match_subject\` is "${displayName}"`)
    },
    'register-queue',
  ),
]

const topicFields: readonly (readonly [{ readonly type: string; readonly name: string }, (event: Event) => unknown])[] =
  [
    [{ type: 'message', name: 'subject' }, ({ message }) => message?.subject],
    [{ type: 'user_topic', name: 'topic_name' }, (event) => event.topic_name],
    [{ type: 'typing', name: 'topic' }, (event) => event.topic],
    [{ type: 'delete_message', name: 'topic' }, (event) => event.topic],
    [{ type: 'update_message', name: 'orig_subject' }, (event) => event.orig_subject],
    [{ type: 'typing_edit_message', name: 'topic' }, ({ recipient }) => recipient?.topic],
    [
      { type: 'update_message_flags', name: 'topic' },
      ({ message_details: all }) => Object.values<Json>(all ?? {}).map((one) => one.topic)[0],
    ],
  ]

function capable(knows: boolean): Values {
  return {
    notification_settings_null: true,
    bulk_message_deletion: true,
    stream_typing_notifications: true,
    empty_topic_name: knows,
  }
}

function open(person: Account, knows: boolean): Promise<EventQueue> {
  const types = topicFields.map(([{ type }]) => type)
  return listen(person, types, { client_capabilities: capable(knows) })
}

function stateOf(person: Account, knows: boolean): Promise<Exchange> {
  const types = ['message', 'update_message_flags', 'user_topic']
  return person.must('register-queue', { event_types: types, client_capabilities: capable(knows) })
}

function ofChannel(list: unknown, id: number): readonly Json[] {
  return listOf(list).filter((one: Json) => one.stream_id === id)
}
