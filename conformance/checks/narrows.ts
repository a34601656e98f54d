import type { Account, Values } from '../deployment/account.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import { answerWhen, post, postTo } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { by, refuses } from './outcomes.ts'

export const checks: readonly WrittenCheck[] = [
  {
    id: 'narrows/match',
    title: 'each message is checked against the narrow',
    requirements: ids('NARROW', [4, 5, 6, 7, 9, 11, 13, 14, 15]),
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const stranger = await t.user()
      const topic = t.unique(`<i>"Q & A"</i> it's`)
      const inside = [await post(author, channel, topic, 'One **bold**.'), await post(reader, channel, topic, 'Two.')]
      const outside = await post(author, channel, t.unique('narrows'), 'Three.')
      const direct = await postTo(author, [reader], 'Four.')
      const all = [...inside, outside, direct]
      const terms = [
        { operator: 'channel', operand: channel.id },
        { operator: 'topic', operand: topic },
      ]
      const exchange = await matching(reader, all, terms)
      const { messages } = exchange.body
      const isMap = typeof messages === 'object' && messages !== null && !Array.isArray(messages)
      const isKeyed = isMap && Object.keys(messages).every((key) => all.includes(Number(key)))
      if (!t.that('NARROW-4', exchange, isKeyed, '`messages` is an object with IDs of messages for keys')) return
      const found = all.filter((id) => String(id) in messages)
      const says = `records of ${inside.join(' and ')}`
      const isRight = inside.every((id) => found.includes(id))
      t.that('NARROW-5', exchange, isRight, says)
      const none = [outside, direct].every((id) => !found.includes(id))
      t.that('NARROW-6', exchange, none, `no record of ${outside} and ${direct}`)
      const { match_content: content, match_subject: subject } = messages[inside[0] ?? 0] ?? {}
      const isHtml = String(content).includes('<strong>bold</strong>')
      t.that('NARROW-7', exchange, isHtml, '`match_content` is HTML with `<strong>bold</strong>`')
      const isEscaped = typeof subject === 'string' && !/[<>"]/.test(subject) && unescaped(subject) === topic
      t.that('NARROW-9', exchange, isEscaped, `\`match_subject\` is "${topic}", escaped for HTML`)
      const isDirect = { operator: 'is', operand: 'dm' }
      const seen = await matching(reader, [direct], [isDirect])
      const hidden = await matching(stranger, [direct], [isDirect])
      t.that('NARROW-5', seen, String(direct) in seen.body.messages, `a record of ${direct}`)
      t.that('NARROW-11', hidden, isEmpty(hidden.body.messages), 'no record of a message between others')
      const elsewhere = await t.channel(stranger)
      const unheard = await matching(stranger, inside, [{ operator: 'channel', operand: elsewhere.id, negated: true }])
      const isUnheard = isEmpty(unheard.body.messages)
      t.that(
        'NARROW-6',
        unheard,
        isUnheard,
        'no record: the caller has not received them, and no term names their channel',
      )
      const pairs = await matching(
        reader,
        all,
        terms.slice(1).map(({ operator, operand }) => [operator, operand]),
      )
      const isSame = Object.keys(pairs.body.messages).join() === Object.keys(messages).join()
      t.that('NARROW-14', pairs, isSame, `records of ${inside.join(' and ')}`)
      const around = await matching(
        reader,
        all,
        terms.map((one) => ({ ...one, negated: one.operator === 'topic' })),
      )
      const isOther = Object.keys(around.body.messages).join() === String(outside)
      t.that('NARROW-13', around, isOther, `a record of ${outside} alone, which is in another topic of the channel`)
      const marked = await post(author, channel, `✔${topic}`, 'Nobody has resolved this.')
      const resolved = await matching(reader, [marked], [{ operator: 'is', operand: 'resolved' }])
      t.that('NARROW-6', resolved, isEmpty(resolved.body.messages), 'no topic with a mark that no space follows')
      await stranger.must('subscribe', { subscriptions: [{ name: channel.name }] })
      const late = await matching(stranger, all, terms)
      const isTheSame = Object.keys(late.body.messages).join() === Object.keys(messages).join()
      t.that('NARROW-5', late, isTheSame, `${says} for somebody who has subscribed since`)
      const number = await reader.call('check-messages-match-narrow', { msg_ids: '5', narrow: terms })
      t.refusedWith('NARROW-15', number, 'msg_ids is not a list')
    },
  },
  {
    id: 'narrows/search',
    title: 'search results have their matches marked',
    requirements: ids('NARROW', [8, 9, 10]),
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const topic = t.unique('Harbour < lake')
      const text = 'Ships sleep in the **harbour** <3, in the harbour.'
      const inContent = await post(author, channel, t.unique('narrows'), text)
      const direct = await postTo(author, [reader], text)
      const inTopic = await post(author, channel, topic, 'Nothing of it here.')
      const search = [{ operator: 'search', operand: 'harbour' }]
      const ids = [inContent, direct, inTopic]
      const isReady = ({ body }: Exchange): boolean => ids.every((id) => String(id) in body.messages)
      const exchange = await answerWhen(reader, () => matching(reader, ids, search), isReady)
      const { [inContent]: one, [direct]: two, [inTopic]: other } = exchange.body.messages
      for (const found of [one, two]) {
        const marks = String(found?.match_content).split('<span class="highlight">harbour</span>').length - 1
        t.that('NARROW-8', exchange, marks === 2, '`match_content` has `<span class="highlight">harbour</span>` twice')
      }
      const wanted = `<span class="highlight">Harbour</span>${topic.slice(7).replace('<', '&lt;')}`
      t.that('NARROW-10', exchange, other?.match_subject === wanted, `\`match_subject\` is \`${wanted}\``)
      const id = await post(author, channel, t.unique('Harbour & lake'), 'Nor here.')
      const phrase = [{ operator: 'search', operand: '"harbour & lake"' }]
      const found = await answerWhen(
        reader,
        () => matching(reader, [id], phrase),
        ({ body }) => !isEmpty(body.messages),
      )
      const html = String(found.body.messages[id]?.match_subject)
      t.that('NARROW-9', found, html.includes('&amp;'), '`match_subject` with `&amp;`, also where the search found it')
    },
  },
  {
    id: 'narrows/refused',
    title: 'an invalid narrow or range is refused',
    requirements: ids('NARROW', [1, 2, 3, 12]),
    async run(t) {
      const { user, messageId } = await t.scene()
      const ask = (values: Values): Promise<Exchange> => user.call('check-messages-match-narrow', values)
      refuses(by(t, 'NARROW-1'), await ask({ narrow: [] }), 'there is no `msg_ids`')
      refuses(by(t, 'NARROW-2'), await ask({ msg_ids: [messageId] }), 'there is no `narrow`')
      for (const term of [{ operand: 'starred' }, { operator: 'is' }]) {
        refuses(by(t, 'NARROW-3'), await ask({ msg_ids: [messageId], narrow: [term] }), 'half of the term is missing')
      }
      for (const [operator, operand] of [
        ['conformance', 'x'],
        ['is', 'conformance'],
        ['has', 'conformance'],
        ['id', beyondEveryId],
        ['channel', beyondEveryId],
      ]) {
        const exchange = await ask({ msg_ids: [messageId], narrow: [{ operator, operand }] })
        const { status, body } = exchange
        const isBad = status === 400 && body?.code === 'BAD_NARROW' && typeof body.desc === 'string'
        t.that('NARROW-12', exchange, isBad, 'HTTP 400, BAD_NARROW and `desc`')
      }
    },
  },
]

/** Larger than any id, and than the integers of a double. */
const beyondEveryId = 1e20

function matching(reader: Account, messageIds: readonly number[], narrow: unknown): Promise<Exchange> {
  return reader.must('check-messages-match-narrow', { msg_ids: messageIds, narrow })
}

function isEmpty(messages: unknown): boolean {
  return typeof messages === 'object' && messages !== null && Object.keys(messages).length === 0
}

function unescaped(html: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return html.replaceAll(/&(?:(lt|gt|quot|amp)|#x?0*(?:39|27));/gi, (_, name?: string) => characters[name ?? ''] ?? "'")
}
