import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { fetched, post, postTo } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import type { Json } from '../../wire/values.ts'

const sending = ['send-message', 'get-message', 'get-messages'] as const
/** Flags that follow from a message's content. */
const ofContent = [
  ...['mentioned', 'has_alert_word'],
  ...['wildcard_mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'],
]
const everybody = ['stream_wildcard_mentioned', 'wildcard_mentioned']

/** Every way to mention somebody, and what happens to messages that mention the reader. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/send-message/mentions',
    'who is mentioned, and how, is the same in events, in lists and alone',
    [...sending, 'register-queue', 'get-events', 'add-alert-words', 'remove-alert-words'],
    async (t, shows, { user, other, channel, topic }) => {
      if (t.level < 224) t.leaveOut('before level 224 all wildcards have one flag')
      const word = t.unique('Harbour').replaceAll(' ', '')
      await other.must('add-alert-words', { alert_words: [word] })
      await post(other, channel, topic, 'I take part.')
      const queue = await listen(other, ['message'])
      const cases: readonly (readonly [content: string, flags: readonly string[]])[] = [
        ...['all', 'everyone', 'stream', ...(t.level >= 248 ? ['channel'] : [])].map(
          (name) => [`@**${name}** come here.`, everybody] as const,
        ),
        ['@**topic** come here.', ['topic_wildcard_mentioned', 'wildcard_mentioned']],
        ['@**topic** and @**all** come here.', ['topic_wildcard_mentioned', ...everybody]],
        [`@**${other.fullName}|${other.userId}** come here.`, ['mentioned']],
        [`@**all** and @**${other.fullName}|${other.userId}** come here.`, ['mentioned', ...everybody]],
        [`@_**${other.fullName}|${other.userId}** was here.`, []],
        ['`@**all**` calls everybody.', []],
        [`The ${word} is near.`, ['has_alert_word']],
        [`The ${word.toUpperCase()} is near, @**all**.`, ['has_alert_word', ...everybody]],
        // Other servers may look into code.
        ...(t.isParley ? [[`Here is \`${word}\`.`, []] as const] : []),
        ['Nobody is meant.', []],
      ]
      const sent: { id: number; content: string; flags: readonly string[] }[] = []
      for (const [content, flags] of cases) sent.push({ id: await post(user, channel, topic, content), content, flags })
      const list = await listedFrom(other, sent[0]?.id ?? 0)
      for (const { id, content, flags } of sent) {
        const told = await eventOf(shows, queue, { type: 'message', message: { id } })
        if (told === undefined) return
        const alone = await fetched(other, id)
        for (const [exchange, has] of [
          [told.exchange, told.event.flags],
          [alone, alone.body.message.flags],
          [list, list.body.messages.find((one: Json) => one.id === id)?.flags],
        ] as const) {
          const found = ofContent.filter((flag) => has?.includes(flag))
          const says = flags.length === 0 ? `none of ${ofContent.join(', ')}` : flags.join(' and ')
          shows(exchange, areSame(found, flags), `${says} in \`flags\` of message ${id}, "${content}"`)
        }
      }
      await other.must('remove-alert-words', { alert_words: [word] })
    },
    'events',
  ),
  effect(
    ['mark-topic-as-read', 'mark-stream-as-read', 'mark-all-as-read'],
    'all there is read, whatever it says, and keeps its other flags; nothing else is read, and nobody else has read it',
    ['update-message-flags', ...sending],
    async (t, shows, { user, other }) => {
      const [channel, elsewhere] = [await t.channel(user, [other]), await t.channel(user, [other])]
      const topic = t.unique('like')
      const inside = await calling(t, user, other, (content) => post(user, channel, topic, content))
      const outside = [
        await post(user, channel, `${topic} and more`, 'In a longer topic.'),
        await post(user, channel, topic.slice(0, -1), 'In a shorter topic.'),
        await post(user, elsewhere, topic, 'In another channel.'),
        await postTo(user, [other], `@**${other.fullName}|${other.userId}** read me.`),
      ]
      const messages = [...inside, ...outside]
      const change = (op: string, flag: string): Promise<Exchange> =>
        other.must('update-message-flags', { messages, op, flag })
      for (const flag of ['starred', 'collapsed']) await change('add', flag)
      await user.must('update-message-flags', { messages, op: 'remove', flag: 'read' })
      const theirs = await flagsOf(user, messages)
      for (const [operation, values, read] of [
        ['mark-topic-as-read', { stream_id: channel.id, topic_name: topic }, inside],
        ['mark-stream-as-read', { stream_id: channel.id }, [...inside, ...outside.slice(0, 2)]],
        ['mark-all-as-read', {}, messages],
      ] as const) {
        await change('remove', 'read')
        const before = await flagsOf(other, messages)
        const marked = await other.must(operation, values as Values)
        shows(marked, marked.body.complete !== false, '`complete`, because there are few messages')
        const after = await flagsOf(other, messages)
        for (const id of messages) {
          const wanted = [...(before.of(id) ?? []), ...(read.some((one) => one === id) ? ['read'] : [])]
          const says = `\`flags\` of message ${id} are ${wanted.join(', ')}, after ${operation}`
          shows(after.exchange, areSame(after.of(id) ?? [], wanted), says)
        }
        const now = await flagsOf(user, messages)
        const areKept = messages.every((id) => areSame(now.of(id) ?? [], theirs.of(id) ?? []))
        shows(now.exchange, areKept, `the flags of user ${user.userId} as before, after ${operation}`)
      }
    },
  ),
]

/** Messages with every kind of mention of the reader. */
async function calling(
  { level }: CheckContext,
  author: Account,
  { fullName, userId }: Account,
  send: (content: string) => Promise<number>,
): Promise<number[]> {
  const ids: number[] = []
  for (const content of [
    'Nobody is meant.',
    `@**${fullName}|${userId}** is meant.`,
    `@_**${fullName}|${userId}** is named.`,
    '@**all** are meant.',
    ...(level >= 224 ? ['@**topic** is meant.'] : []),
    `From ${author.fullName}, with \`code\`.`,
  ]) {
    ids.push(await send(content))
  }
  return ids
}

function listedFrom(reader: Account, anchor: number): Promise<Exchange> {
  return reader.must('get-messages', { anchor, num_before: 0, num_after: 1000 })
}

async function flagsOf(
  reader: Account,
  ids: readonly number[],
): Promise<{ exchange: Exchange; of(id: number): string[] | undefined }> {
  const exchange = await listedFrom(reader, Math.min(...ids))
  return { exchange, of: (id) => exchange.body.messages.find((one: Json) => one.id === id)?.flags }
}

function areSame(flags: readonly string[], wanted: readonly string[]): boolean {
  return flags.toSorted().join() === wanted.toSorted().join()
}
