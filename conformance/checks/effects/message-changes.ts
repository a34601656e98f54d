import type { Account } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { fetched, needEditing, organizationOf, post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, type Json } from '../../wire/values.ts'

const queues = ['register-queue', 'get-events', 'send-message'] as const

/** What edits and deletions leave of a message, and the events about them. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-message/flags',
    'an edit changes whom a message mentions and nobody’s other flags, and its event says so',
    ['update-message', ...queues, 'get-message', 'update-message-flags'],
    async (t, shows, { user, other, channel, topic }) => {
      needEditing(t, await organizationOf(user))
      const message_id = await post(user, channel, topic, '/me waves')
      for (const flag of ['starred', 'read', 'collapsed']) {
        for (const person of [user, other]) {
          await person.must('update-message-flags', { messages: [message_id], op: 'add', flag })
        }
      }
      const kept = ['collapsed', 'read', 'starred']
      const [own, theirs] = [await listen(user, ['update_message']), await listen(other, ['update_message'])]
      const first = { content: `Look, @**${other.fullName}|${other.userId}**!` }
      const edits = [
        { ...first, isMention: true, isMe: false },
        { content: '/me waves again', topic, isMention: false, isMe: true },
        { content: 'Enough waved.', subject: topic, isMention: false, isMe: false },
      ]
      for (const { isMention, isMe, ...values } of edits) {
        const answer = await user.call('update-message', { message_id, ...values })
        if (answer.status !== 200 && values.content === first.content) {
          t.leaveOut(`messages cannot be edited here: ${answer.body?.msg}`)
        }
        if (!shows(answer, answer.status === 200, 'success: the topic is the one that the message has')) return
        for (const [person, queue, isMentioned] of [
          [user, own, false],
          [other, theirs, isMention],
        ] as const) {
          const wanted = isMentioned ? ['collapsed', 'mentioned', 'read', 'starred'] : kept
          const says = `\`flags\` are ${wanted.join()} for user ${person.userId}, after an edit to "${values.content}"`
          const told = await eventOf(shows, queue, { type: 'update_message', message_id, content: values.content })
          if (told === undefined) return
          shows(told.exchange, flagsOf(told.event) === wanted.join(), says)
          shows(told.exchange, told.event.is_me_message === isMe, `\`is_me_message\` is ${isMe}: ${values.content}`)
          const { exchange, message } = await messageOf(person, message_id)
          shows(exchange, flagsOf(message) === wanted.join(), says)
          shows(exchange, message.is_me_message === isMe, `\`is_me_message\` is ${isMe}: ${values.content}`)
          const raw = exchange.body.raw_content
          shows(exchange, raw === values.content, `\`raw_content\` is "${values.content}", since the edit`)
          shows(exchange, message.subject === topic, `message ${message_id} in its topic "${topic}" still`)
        }
      }
    },
    'events',
  ),
  effectNamed(
    'effects/delete-message/traces',
    'a deleted message is in no list, and everybody is told where it was',
    ['delete-message', ...queues, 'get-message', 'get-stream-topics'],
    async (t, shows, { user, other }) => {
      const admin = t.person('administrator')
      const channel = await t.channel(admin, [user, other])
      const topic = t.unique('traces')
      const [kept, gone] = [await post(user, channel, topic, 'Stay.'), await post(user, channel, topic, 'Go.')]
      const capabilities = { notification_settings_null: true, bulk_message_deletion: true }
      const opened = await Promise.all(
        [admin, other].map((person) => listen(person, ['delete_message'], { client_capabilities: capabilities })),
      )
      const older = await listen(other, ['delete_message'])
      for (const [message_id, newest] of [
        [gone, kept],
        [kept, undefined],
      ] as const) {
        // Each reader can read it only once.
        const readers = [user, other, admin]
        for (const person of readers) await fetched(person, message_id)
        await other.must('get-stream-topics', { stream_id: channel.id })
        await admin.must('delete-message', { message_id })
        for (const person of readers) {
          const again = await person.call('get-message', { message_id })
          shows(again, isRefused(again), `a refusal: message ${message_id} is deleted`)
        }
        const where = { type: 'delete_message', message_type: 'stream', stream_id: channel.id, topic }
        for (const queue of opened) {
          if (!(await eventOf(shows, queue, { ...where, message_ids: [message_id] }))) return
        }
        if (!(await eventOf(shows, older, { ...where, message_id }))) return
        const topics = await other.must('get-stream-topics', { stream_id: channel.id })
        const entry = topics.body.topics.find(({ name }: Json) => name === topic)
        const says =
          newest === undefined ? `no topic "${topic}": it has no message` : `\`max_id\` of "${topic}" is ${newest}`
        shows(topics, entry?.max_id === newest, says)
      }
    },
    'events',
  ),
]

async function messageOf(reader: Account, id: number): Promise<{ exchange: Exchange; message: Json }> {
  const exchange = await fetched(reader, id)
  return { exchange, message: exchange.body.message }
}

/** Sorted, and without alert words: the people of a scene have some, and a name may be among them. */
function flagsOf({ flags }: Json): string {
  return flags
    .filter((flag: string) => flag !== 'has_alert_word')
    .toSorted()
    .join()
}
