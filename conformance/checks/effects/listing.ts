import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, type Shows } from '../../kernel/effect.ts'
import { fetched, post } from '../../kernel/messaging.ts'
import type { Json } from '../../wire/values.ts'
import { canonical } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

interface Topic {
  readonly reader: Account
  readonly narrow: readonly Values[]
  readonly ids: readonly [number, number, number]
}

/** The parameters of GET /messages, except the anchors and narrows that the model covers. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/get-messages/first-unread',
    'the old parameter for the first unread message finds it',
    async (t, shows) => {
      const { reader, narrow, ids } = await topicOf(t)
      const [first, second, third] = ids
      await reader.must('update-message-flags', { messages: ids, op: 'remove', flag: 'read' })
      await reader.must('update-message-flags', { messages: [first], op: 'add', flag: 'read' })
      const range = { num_before: 1, num_after: 0, narrow }
      for (const [values, wanted] of [
        [{ use_first_unread_anchor: true }, [first, second]],
        [{ use_first_unread_anchor: true, anchor: third }, [first, second]],
        [{ use_first_unread_anchor: false, anchor: third }, [second, third]],
      ] as const) {
        await finds(shows, reader, { ...range, ...values }, wanted)
      }
    },
  ),
  effectNamed('effects/get-messages/date', 'a date finds the first message since then', async (t, shows) => {
    if (t.level < 445) t.leaveOut('before level 445 a date cannot be the anchor')
    const { reader, narrow, ids } = await topicOf(t)
    const [first, second, third] = ids
    const range = { anchor: 'date', narrow }
    const sent = new Date((await fetched(reader, first)).body.message.timestamp * 1000).toISOString()
    for (const anchor_date of ['2001-01-01', '2001-01-01T12:00:00Z', '2001-01-01T12:00:00+02:00', sent]) {
      await finds(shows, reader, { ...range, anchor_date, num_before: 1, num_after: 1 }, [first, second])
    }
    await finds(shows, reader, { ...range, anchor_date: '2101-01-01', num_before: 2, num_after: 1 }, [second, third])
  }),
  effectNamed('effects/get-messages/below', 'an anchor below all IDs is treated as 0', async (t, shows) => {
    const { reader, narrow, ids } = await topicOf(t)
    const exchange = await finds(shows, reader, { anchor: -5, num_before: 1, num_after: 2, narrow }, [ids[0], ids[1]])
    const { anchor, found_anchor: isFound, found_oldest: isOldest } = exchange.body
    shows(exchange, anchor === 0, '`anchor` is 0')
    shows(exchange, isFound === false && isOldest === true, '`found_anchor` is false and `found_oldest` is true')
  }),
  effectNamed(
    'effects/get-stream-topics/case',
    'topics are compared without regard to case',
    async (t, shows, { user, other, channel }) => {
      const topic = t.unique('Two Cases')
      await post(user, channel, topic, 'One.')
      const max_id = await post(user, channel, topic.toUpperCase(), 'Two.')
      const exchange = await other.must('get-stream-topics', { stream_id: channel.id })
      const found = exchange.body.topics.filter(({ name }: Json) => name.toLowerCase() === topic.toLowerCase())
      const isOne = found.length === 1 && found[0].max_id === max_id
      shows(exchange, isOne, `one topic "${topic}", in whatever case, with \`max_id\` ${max_id}`)
    },
  ),
  effectNamed(
    'effects/get-messages/defaults',
    'the default of a parameter equals leaving it out, and a range has its bounds',
    async (t, shows) => {
      const { reader, narrow, ids } = await topicOf(t)
      const range = { anchor: ids[1], num_before: 1, num_after: 0, narrow }
      const usual = await reader.must('get-messages', range)
      const since = reader.known('get-messages', { include_anchor: true, allow_empty_topic_name: false })
      const spelled = { apply_markdown: true, use_first_unread_anchor: false, client_gravatar: true, ...since }
      const said = await reader.must('get-messages', { ...range, ...spelled })
      const [one, other] = [usual, said].map(({ body }) => canonical(body.messages))
      shows(usual, one === other, `the same messages as with every default spelled out: ${other}`)
      const many = await reader.call('get-messages', { ...range, num_before: 3000, num_after: 2001 })
      refuses(shows, many, 'more than 5000 messages')
      const around = await reader.call('get-messages', { ...range, num_after: 1, include_anchor: false })
      refuses(shows, around, 'the anchor can only be left out at an end')
    },
  ),
]

async function finds(shows: Shows, reader: Account, values: Values, wanted: readonly [number, number]) {
  const exchange = await reader.must('get-messages', values)
  const found = exchange.body.messages.map(({ id }: Json) => id)
  shows(exchange, found.join() === wanted.join(), `messages ${wanted.join(' and ')}, and no others`)
  return exchange
}

/** A topic with three messages that `reader` did not send. */
async function topicOf(t: CheckContext): Promise<Topic> {
  const { user: author, other: reader, channel } = await t.scene()
  const topic = t.unique('listing')
  const say = (text: string): Promise<number> => post(author, channel, topic, `${text}, **bold**.`)
  const ids = [await say('One'), await say('Two'), await say('Three')] as const
  const inChannel = { operator: 'channel', operand: channel.id }
  return { reader, narrow: [inChannel, { operator: 'topic', operand: topic }], ids }
}
