import { uploadedPath } from '../../acts/attachments.ts'
import { pictureOf } from '../../acts/custom-emoji.ts'
import type { Account, Values } from '../../deployment/account.ts'
import { SetUpError } from '../../deployment/account.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { answerWhen } from '../../kernel/messaging.ts'
import { fits } from '../../model/narrow.ts'
import type { Has, ModelFlag, ModelMessage, Topic, World } from '../../model/world.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json } from '../../wire/values.ts'
import { quiet } from '../moves.ts'
import { emptyWorld, type Places } from './places.ts'

interface Draft {
  readonly sender: Account
  readonly place: ModelMessage['place']
  /** The text after the mark. The mark is the first word of each message. */
  readonly text: string
  readonly has?: readonly Has[]
  readonly flags?: readonly ModelFlag[]
  readonly mentions?: readonly number[]
}

/** Sends the messages of the model. Initially none is read, starred or edited, and none has reactions. */
export async function sentWorld(places: Places): Promise<World> {
  const { reader, mark, alert } = places
  await reader.must('add-alert-words', { alert_words: [alert] })
  try {
    const files = { text: await uploadedPath(places.third, 'A text.'), image: await uploadedImage(places.third) }
    const messages: ModelMessage[] = []
    for (const { sender, place, text, has = [], flags = [], mentions = [] } of draftsOf(places, files)) {
      const content = `${mark} ${text}`
      const sent = await sender.must('send-message', { ...addressOf(place, sender), content })
      const id = Number(sent.body.id)
      messages.push({ id, senderId: sender.userId, place, content, has: new Set(has), flags: new Set(flags), mentions })
    }
    return { ...emptyWorld(places), messages }
  } finally {
    await reader.call('remove-alert-words', { alert_words: [alert] })
  }
}

function draftsOf(places: Places, files: { text: string; image: string }): Draft[] {
  const { reader, author, third, open, closed, topics, alert } = places
  const [me, he, she] = [reader.userId, author.userId, third.userId]
  const within = ({ id: channelId }: { id: number }, name: string): Topic => ({ channelId, name })
  const name = ({ fullName, userId }: Account): string => `**${fullName}|${userId}**`
  const main = within(open, topics.main)
  const other = within(open, topics.other)
  const drafts: (Draft | undefined)[] = [
    { sender: reader, place: main, text: 'I take part.' },
    { sender: third, place: main, text: 'Apples and pears.' },
    { sender: author, place: main, text: 'See https://example.com/page for pears.', has: ['link'] },
    { sender: author, place: { people: [he, me] }, text: 'Between us.' },
    { sender: author, place: other, text: `@${name(reader)} pears and apples`, flags: ['mentioned'], mentions: [me] },
    { sender: author, place: within(open, topics.main.toUpperCase()), text: 'Apples, in capitals.' },
    {
      sender: third,
      place: within(closed, topics.main),
      text: `https://example.com/ [conformance.txt](${files.text})`,
      has: ['link', 'attachment'],
    },
    { sender: author, place: within(closed, topics.other), text: `@_${name(reader)} keeps quiet about pears.` },
    { sender: author, place: main, text: '@**topic** hear me.', flags: ['wildcard_mentioned'] },
    { sender: author, place: within(closed, topics.main), text: '@**all** hear me.', flags: ['wildcard_mentioned'] },
    { sender: third, place: { people: [she, me, he] }, text: `@${name(author)} and all of us`, mentions: [he] },
    { sender: author, place: within(open, topics.resolved), text: `${alert} is the word.`, flags: ['has_alert_word'] },
    places.showsImages
      ? {
          sender: third,
          place: other,
          has: ['link', 'attachment', 'image'] as const,
          text: `https://example.com/ [dot.gif](${files.image})`,
        }
      : undefined,
    { sender: reader, place: { people: [me, he] }, text: 'An answer: https://example.com/answer', has: ['link'] },
    {
      sender: author,
      place: { people: [she, me, he] },
      text: `@${name(reader)}`,
      flags: ['mentioned'],
      mentions: [me],
    },
    places.hasEmptyTopic ? { sender: author, place: within(closed, ''), text: 'No topic.' } : undefined,
    { sender: third, place: { people: [she, me] }, text: 'Between the two of us.' },
    { sender: author, place: other, text: 'No fruit here.' },
    { sender: reader, place: { people: [me] }, text: 'A note.' },
    { sender: third, place: main, text: 'The last word.' },
  ]
  return drafts.filter((one) => one !== undefined)
}

function addressOf(place: ModelMessage['place'], sender: Account): Values {
  if ('channelId' in place) return { type: 'stream', to: place.channelId, topic: place.name }
  const others = place.people.filter((id) => id !== sender.userId)
  return { type: 'private', to: others.length === 0 ? place.people : others }
}

async function uploadedImage(owner: Account): Promise<string> {
  const part = 'Content-Disposition: form-data; name="file"; filename="dot.gif"\r\nContent-Type: image/gif'
  const body = `--conformance\r\n${part}\r\n\r\n${pictureOf(1)}\r\n--conformance--\r\n`
  const raw = { type: 'multipart/form-data; boundary=conformance', body }
  const exchange = await owner.send({ method: 'POST', path: '/api/v1/user_uploads', raw })
  if (exchange.status !== 200) throw new SetUpError('upload-file', exchange)
  return String(exchange.body.url ?? exchange.body.uri)
}

/** The world after the reader and others have marked, edited and reacted to the messages. */
export async function markedWorld(t: CheckContext, places: Places): Promise<World> {
  const { reader, author, third, mark } = places
  const sent = await sentWorld(places)
  const ids = sent.messages.map(({ id }) => id)
  const change = (op: 'add' | 'remove', flag: ModelFlag, some: readonly number[]): Promise<unknown> =>
    reader.must('update-message-flags', { messages: some, op, flag })
  const read = ids.filter((_, index) => index % 3 === 0)
  const starred = ids.filter((_, index) => index % 4 === 1)
  // Not every client marks its own messages as read.
  await change('remove', 'read', ids)
  await change('add', 'read', read)
  await change('add', 'starred', starred)
  const [first = 0, , , fourth = 0] = ids
  await author.must('add-reaction', { message_id: first, emoji_name: 'octopus' })
  await reader.must('add-reaction', { message_id: fourth, emoji_name: 'heart' })
  await third.must('add-reaction', { message_id: ids.at(-1), emoji_name: 'tada' })
  await third.must('remove-reaction', { message_id: ids.at(-1), emoji_name: 'tada' })
  const edited = await edits(places, sent)
  /** Waits until a search finds the current messages, because servers may index them after they answer. */
  const search = (operand: string, wanted: readonly ModelMessage[]): Promise<Exchange> =>
    answerWhen(
      reader,
      () => listWith(reader, [{ operator: 'search', operand }]),
      ({ body }) =>
        isSetOf(
          body.messages.map(({ id }: Json) => id),
          wanted.map(({ id }) => id),
        ),
    )
  for (const operand of [`${mark} pears`, `${mark} zebra`]) {
    await search(
      operand,
      edited.filter((one) => fits(sent, one, [{ operator: 'search', operand }])),
    )
  }
  const listed = await search(mark, edited)
  const emails = new Map<number, string>(listed.body.messages.map((one: Json) => [one.sender_id, one.sender_email]))
  return {
    ...emptyWorld(places, emails),
    ...(await policies(t, places)),
    messages: edited.map((one) => {
      const { id } = one
      if (read.includes(id)) one.flags.add('read')
      if (starred.includes(id)) one.flags.add('starred')
      const hasReaction = id === first || id === fourth
      return { ...one, has: new Set<Has>([...one.has, ...(hasReaction ? (['reaction'] as const) : [])]) }
    }),
  }
}

/** All messages of a small narrow. */
export function listWith(reader: Account, narrow: unknown): Promise<Exchange> {
  return reader.must('get-messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow })
}

/**
 * One message gains a link, a word and another topic; one loses its link and that word; one gains only the word; and a
 * direct one mentions the reader.
 */
async function edits({ author, reader, mayEdit, open, topics }: Places, { messages }: World): Promise<ModelMessage[]> {
  const beginnings = ['See https://example.com/page', 'No fruit here.', 'Apples, in capitals.', 'Between us.']
  const [linked, plain, loud, direct] = beginnings.map((text) => messages.find(({ content }) => content.includes(text)))
  if (!mayEdit || !linked || !plain || !loud || !direct) return [...messages]
  const [linkedText, plainText] = [plain.content, `${plain.content} But pears: https://example.com/fruit`]
  const texts = new Map([
    [linked, linkedText],
    [plain, plainText],
    [loud, `${loud.content} And pears.`],
    [direct, `${direct.content} @**${reader.fullName}|${reader.userId}**`],
  ])
  const place: Topic = { channelId: open.id, name: topics.main }
  for (const [message, content] of [...texts]) {
    const move = message === plain ? { topic: place.name, ...quiet } : {}
    const exchange = await author.call('update-message', { message_id: message.id, content, ...move })
    if (exchange.status !== 200) texts.delete(message)
  }
  return messages.map((one) => {
    const content = texts.get(one)
    if (content === undefined) return one
    if (one === plain) return { ...one, content, place, has: new Set(['link'] as const) }
    if (one === direct) return { ...one, content, flags: new Set(['mentioned'] as const), mentions: [reader.userId] }
    return { ...one, content, has: one === linked ? new Set() : one.has }
  })
}

/**
 * The reader follows a topic, unmutes another and mutes a third, if the server can search for that. Policies that the
 * server sets by itself, for example because the reader has written there, are adopted.
 */
async function policies(t: CheckContext, { reader, open, topics }: Places): Promise<Pick<World, 'followed' | 'muted'>> {
  if (t.level < 265) return { followed: [], muted: [] }
  for (const [topic, visibility_policy] of [
    [topics.main, 2],
    [topics.other, 3],
    [topics.resolved, 1],
  ] as const) {
    await reader.must('update-user-topic', { stream_id: open.id, topic, visibility_policy })
  }
  const { body } = await reader.must('register-queue', { event_types: ['user_topic'] })
  const withPolicy = (policy: number): Topic[] =>
    body.user_topics
      .filter((one: Json) => one.visibility_policy === policy)
      .map((one: Json) => ({ channelId: one.stream_id, name: one.topic_name }))
  return { followed: withPolicy(3), muted: withPolicy(1) }
}
