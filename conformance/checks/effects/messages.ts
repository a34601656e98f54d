import type { Account } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { fetched, isNow, needEditing, organizationOf, post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json } from '../../wire/values.ts'
import { refuses, succeeds } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effect('render-message', 'a text is rendered as in a message', async (_, shows, { user, other, channel, topic }) => {
    const links = `@**${other.fullName}|${other.userId}**, see #**${channel.name}**`
    for (const content of ['**bold** & `code`', '- one\n- two', '```\na < b\n```', 'https://example.com/', links]) {
      const { body } = await user.must('get-message', { message_id: await post(user, channel, topic, content) })
      const exchange = await user.must('render-message', { content })
      const says = `\`rendered\` is ${JSON.stringify(body.message.content)}`
      shows(exchange, exchange.body.rendered === body.message.content, says)
    }
  }),
  effect(
    'update-message-flags',
    'a flag is set and removed for the caller only, and on the given messages only',
    async (t, shows, { user: author, other: reader, channel }) => {
      const topic = t.unique('flags')
      const ids: number[] = []
      while (ids.length < 14) ids.push(await post(author, channel, topic, 'Flag me.'))
      // Leaves out the first and the last, in another order.
      const some = ids.filter((_, index) => index % 5 !== 0).toReversed()
      const others = async (): Promise<string> => JSON.stringify((await received(author, ids)).messages.map(flagsOf))
      const before = await others()
      for (const flag of ['starred', 'collapsed', 'read']) {
        for (const [op, changed, flaggedNow] of [
          ['add', some, some],
          ['remove', some.slice(1), some.slice(0, 1)],
        ] as const) {
          const flags = new Map((await received(reader, ids)).messages.map((message) => [message.id, flagsOf(message)]))
          const answer = await reader.must('update-message-flags', { messages: changed, op, flag })
          shows(answer, answer.body.messages.join() === changed.join(), `\`messages\` are ${changed}, as sent`)
          const { exchange, messages } = await received(reader, ids)
          const now = messages.filter((message) => message.flags.includes(flag)).map(({ id }) => id)
          shows(exchange, isSetOf(now, flaggedNow), `the flag \`${flag}\` at ${flaggedNow}`)
          const rest = (all: readonly string[] = []): string => all.filter((one) => one !== flag).join()
          const isAlone = messages.every((message) => rest(flagsOf(message)) === rest(flags.get(message.id)))
          shows(exchange, isAlone, `no flag but \`${flag}\` has changed`)
        }
      }
      const { exchange } = await received(author, ids)
      shows(exchange, (await others()) === before, `the flags of user ${author.userId} as before: ${before}`)
    },
  ),
  effect(
    'get-message-history',
    'the history has each version of a message, with its editor and time',
    async (t, shows, { user, other, channel, topic }) => {
      needEditing(t, await organizationOf(user))
      const versions = ['First **version**.', 'Second version.', 'Third version.']
      const message_id = await post(user, channel, topic, versions[0] ?? '')
      for (const content of versions.slice(1)) {
        const edited = await user.call('update-message', { message_id, content })
        if (edited.status !== 200) t.leaveOut(`messages cannot be edited here: ${edited.body?.msg}`)
      }
      const exchange = await other.must('get-message-history', { message_id })
      const history: readonly Json[] = exchange.body.message_history
      const contents = history.map(({ content }) => content)
      shows(exchange, contents.join('\n') === versions.join('\n'), `\`content\`, oldest first: ${versions.join(' ')}`)
      const before = history.slice(1).map(({ prev_content }) => prev_content)
      const words = '`prev_content` is the `content` of the entry before'
      shows(exchange, before.join('\n') === versions.slice(0, -1).join('\n'), words)
      const htmlBefore = history.slice(1).map(({ prev_rendered_content }) => prev_rendered_content)
      const html = history.slice(0, -1).map(({ rendered_content }) => rendered_content)
      const expected = '`prev_rendered_content` is the `rendered_content` of the entry before'
      shows(exchange, htmlBefore.join('\n') === html.join('\n'), expected)
      const isMarked = history.slice(1).every(({ content, content_html_diff: marked }) => {
        return marked === undefined ? !t.isParley : marked.includes(`highlight_text_inserted">${content.split(' ')[0]}`)
      })
      shows(exchange, isMarked, '`content_html_diff` marks the first word of each version as new')
      const rendered = String(history[0]?.rendered_content)
      shows(exchange, rendered.includes('<strong>version</strong>'), '`rendered_content` is `content` in HTML')
      const isTheirs = history.every(({ user_id: id, timestamp }) => id === user.userId && isNow(timestamp, exchange))
      shows(exchange, isTheirs, `\`user_id\` is ${user.userId} and \`timestamp\` is now, in every entry`)
      const isThere = history.every((entry) => entry.topic === topic)
      shows(exchange, isThere, `\`topic\` is "${topic}" in every entry`)
    },
  ),
  effectNamed(
    'effects/update-message/flags',
    'an edit changes the mention flags of a message and no others, and its event says so',
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
        if (!succeeds(shows, answer, 'the topic is the one that the message has')) return
        for (const [person, queue, isMentioned] of [
          [user, own, false],
          [other, theirs, isMention],
        ] as const) {
          const wanted = isMentioned ? ['collapsed', 'mentioned', 'read', 'starred'] : kept
          const says = `\`flags\` are ${wanted.join()} for user ${person.userId}, after an edit to "${values.content}"`
          const told = await eventOf(shows, queue, { type: 'update_message', message_id, content: values.content })
          if (told === undefined) return
          shows(told.exchange, flagsBesideAlertWords(told.event) === wanted.join(), says)
          shows(told.exchange, told.event.is_me_message === isMe, `\`is_me_message\` is ${isMe}: ${values.content}`)
          const exchange = await fetched(person, message_id)
          const { message, raw_content: raw } = exchange.body
          shows(exchange, flagsBesideAlertWords(message) === wanted.join(), says)
          shows(exchange, message.is_me_message === isMe, `\`is_me_message\` is ${isMe}: ${values.content}`)
          shows(exchange, raw === values.content, `\`raw_content\` is "${values.content}", since the edit`)
          shows(exchange, message.subject === topic, `message ${message_id} in its topic "${topic}" still`)
        }
      }
    },
  ),
  effectNamed(
    'effects/delete-message/traces',
    'a deleted message is in no list, and the event about it has its channel and topic',
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
        // Readers who fetched it before must not find it either.
        const readers = [user, other, admin]
        for (const person of readers) await fetched(person, message_id)
        await other.must('get-stream-topics', { stream_id: channel.id })
        await admin.must('delete-message', { message_id })
        for (const person of readers) {
          refuses(shows, await person.call('get-message', { message_id }), `message ${message_id} is deleted`)
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
  ),
]

function flagsOf({ flags }: Json): readonly string[] {
  return flags.toSorted()
}

/** Messages with the reader's flags. */
async function received(reader: Account, ids: readonly number[]): Promise<{ exchange: Exchange; messages: Json[] }> {
  const anchor = Math.min(...ids)
  const exchange = await reader.must('get-messages', { anchor, num_before: 0, num_after: 100 })
  const messages: Json[] = exchange.body.messages
  return { exchange, messages: messages.filter(({ id }) => ids.includes(id)) }
}

/** Sorted. Alert words are left out: the people of a scene have some, and a name may match one. */
function flagsBesideAlertWords({ flags }: Json): string {
  return flags
    .filter((flag: string) => flag !== 'has_alert_word')
    .toSorted()
    .join()
}
