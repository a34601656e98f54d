import { isDeepStrictEqual } from 'node:util'
import { linkifierOf, newMark } from '../acts/linkifiers.ts'
import { addressFor } from '../acts/settings.ts'
import type { Account } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import {
  emptyTopicName,
  fetched,
  fetchedInList,
  isNow,
  messageOf,
  organizationOf,
  post,
  postTo,
} from '../kernel/messaging.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, isRefused, isSetOf, type Json, listOf, objectsIn } from '../wire/values.ts'
import { quiet } from './moves.ts'

const base = { area: 'Message' } as const

export const checks: readonly WrittenCheck[] = [
  {
    id: 'messages/channel',
    title: 'a channel message has all fields of a message',
    requirements: [
      ...ids('MSG-FIELD', [1, 2, 3, 4, 6, 15, 16, 18, 19, 20, 23, 24, 25, 26, 28, 30, 32, 35, 38, 40]),
      'SCOPE-2',
    ],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const channel = await t.channel(author, [reader])
      const earlier = await post(author, channel, 'fields', 'First.')
      const later = await post(author, channel, 'fields', 'Second.')
      const first = await fetched(reader, earlier)
      const exchange = await fetched(reader, later)
      const message = exchange.body.message
      const is = (id: string, holds: boolean, expected: string): boolean => t.that(id, exchange, holds, expected)
      const says = '`id` is an integer of its own'
      is('MSG-FIELD-1', Number.isInteger(message.id) && message.id !== first.body.message.id, says)
      is('MSG-FIELD-2', message.id > first.body.message.id, `\`id\` is above ${earlier}, the ID of the message before`)
      is('MSG-FIELD-3', message.type === 'stream', '`type` is "stream"')
      is('MSG-FIELD-4', message.stream_id === channel.id, `\`stream_id\` is ${channel.id}`)
      is('MSG-FIELD-6', message.subject === 'fields', '`subject` is "fields"')
      is('SCOPE-2', typeof message.subject === 'string', '`subject` is a string')
      is('MSG-FIELD-15', isNow(message.timestamp, exchange), '`timestamp` is the present second, an integer')
      is('MSG-FIELD-16', message.sender_id === author.userId, `\`sender_id\` is ${author.userId}`)
      is('MSG-FIELD-18', message.sender_full_name === author.fullName, `\`sender_full_name\` is "${author.fullName}"`)
      is('MSG-FIELD-19', typeof message.sender_realm_str === 'string', '`sender_realm_str` is a string')
      const { avatar_url: avatar } = message
      is('MSG-FIELD-20', avatar === null || typeof avatar === 'string', '`avatar_url` is a string or null')
      is('MSG-FIELD-23', typeof message.client === 'string', '`client` is a string')
      is('MSG-FIELD-24', message.is_me_message === false, '`is_me_message` is false')
      const sameRecipient = message.recipient_id === first.body.message.recipient_id
      const isRight = Number.isInteger(message.recipient_id) && sameRecipient
      is('MSG-FIELD-25', isRight, '`recipient_id` is that of the channel')
      is('MSG-FIELD-26', message.display_recipient === channel.name, `\`display_recipient\` is "${channel.name}"`)
      is('MSG-FIELD-28', isStrings(message.flags), '`flags` is an array of strings')
      is('MSG-FIELD-30', isEmpty(message.reactions), '`reactions` is an empty array')
      is('MSG-FIELD-32', isEmpty(message.submessages), '`submessages` is an empty array')
      is('MSG-FIELD-35', !('edit_history' in message), 'no `edit_history`')
      is('MSG-FIELD-38', !('last_edit_timestamp' in message), 'no `last_edit_timestamp`')
      is('MSG-FIELD-40', !('last_moved_timestamp' in message), 'no `last_moved_timestamp`')
    },
  },
  {
    id: 'messages/topic-links',
    title: 'a topic has the links that linkifiers find in it',
    requirements: ['MSG-FIELD-9', 'MSG-FIELD-10'],
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const linkifiers = await linkifiersOf(reader)
      const linksIn = async (topic: string): Promise<[Exchange, unknown]> => {
        const id = await post(author, channel, topic, 'What does it lead to?')
        const exchange = await fetched(reader, id)
        const { topic_links: links } = exchange.body.message
        const raw = await fetched(reader, id, { apply_markdown: false })
        for (const one of [await fetchedInList(reader, id), raw]) {
          const isSame = isDeepStrictEqual(messageOf(one).topic_links, links)
          t.that('MSG-FIELD-9', one, isSame, `the links that GET /messages/${id} has`)
        }
        return [exchange, links]
      }
      const [plain, none] = await linksIn('plain words')
      t.that('MSG-FIELD-9', plain, Array.isArray(none) && none.every(isObject), '`topic_links` is an array of objects')
      if (linkifiers?.length === 0) t.that('MSG-FIELD-9', plain, isEmpty(none), 'no link, as there is no linkifier')
      const examples = (linkifiers ?? []).map(({ example_input: text }) => text).filter(isTopic)
      /** @param part a part of the address of one of the links */
      const look = async (topic: string, part = ''): Promise<void> => {
        const [exchange, links] = await linksIn(topic)
        const isLinked =
          Array.isArray(links) && links.every(isObject) && links.some(({ url }) => `${url}`.includes(part))
        const where = part === '' ? '' : `, to an address with "${part}"`
        t.that('MSG-FIELD-9', exchange, isLinked, `at least one link${where}: "${topic}" is what a linkifier is for`)
        const areWhole = listOf(links).every(({ text, url }) => typeof text === 'string' && typeof url === 'string')
        t.that('MSG-FIELD-10', exchange, areWhole, '`text` and `url`, both strings, in each link')
      }
      for (const topic of examples) await look(topic)
      const administrator = t.deployment.atLeast('administrator')
      const mark = newMark(t)
      const added = await administrator?.call('add-linkifier', linkifierOf(mark))
      if (added?.status === 200) {
        await look(`${mark}-4711`, '4711')
        const queue = await EventQueue.open(reader, { event_types: ['update_message'] })
        const message_id = await post(author, channel, t.unique('unlinked'), 'Where does it lead to?')
        const moved = await author.call('update-message', { message_id, topic: `${mark}-4712`, ...quiet })
        if (!isRefused(moved)) {
          const { topic_links } = (await fetched(reader, message_id)).body.message
          const told = await queue.until({ type: 'update_message', message_id })
          const isSame = isDeepStrictEqual(told.event?.topic_links, topic_links)
          const isTold = isSame && listOf(topic_links).some(({ url }) => `${url}`.includes('4712'))
          t.that(
            'MSG-FIELD-9',
            told.exchange,
            isTold,
            `the link of the new topic, as in the message; but ${told.lacked}`,
          )
        }
        await administrator?.must('remove-linkifier', { filter_id: added.body.id })
      } else if (examples.length === 0) {
        t.remarks.add('MSG-FIELD-9: links are not observable here: no linkifier has an example')
      }
    },
  },
  {
    ...base,
    id: 'messages/direct',
    title: 'a direct message has all fields of a message, and one ID for each conversation',
    requirements: ['SCOPE-3', ...ids('MSG-FIELD', [3, 5, 7, 25, 26, 27]), 'LEVEL-327', 'LEVEL-482'],
    async run(t) {
      const { user: one, other } = await t.scene()
      const first = await fetched(other, await postTo(one, [other], 'To you.'))
      const exchange = await fetched(other, await postTo(one, [other], 'Once more.'))
      const message = exchange.body.message
      t.that('MSG-FIELD-3', exchange, message.type === 'private', '`type` is "private"')
      t.that('MSG-FIELD-5', exchange, !('stream_id' in message), 'no `stream_id`')
      t.that('MSG-FIELD-7', exchange, message.subject === '', '`subject` is empty text')
      const same = Number.isInteger(message.recipient_id) && message.recipient_id === first.body.message.recipient_id
      t.that('MSG-FIELD-25', exchange, same, '`recipient_id` is the integer of the message before')
      const isDirect = message.type === 'private' && message.stream_id === undefined
      t.that('SCOPE-3', exchange, isDirect, '`type` is "private", and there is no `stream_id`')
      const id = message.recipient_id
      const back = await postTo(other, [one], 'And back.')
      for (const viewer of [one, other]) {
        const second = await fetched(viewer, back)
        const isSame = second.body.message.recipient_id === id
        t.that('LEVEL-327', second, isSame, `\`recipient_id\` is ${id}, as in the other direction`)
      }
      const namesAll = (shown: Exchange, people: readonly Account[]): void => {
        const userIds = [...new Set([one, ...people].map(({ userId }) => userId))]
        const list = objectsIn(shown.body.message.display_recipient)
        const isComplete = isSetOf(
          list.map(({ id }) => id),
          userIds,
        )
        const says = `one object each for the users ${userIds.join(' and ')}, with all four fields`
        t.that('MSG-FIELD-27', shown, isComplete && list.every(isRecipient), says)
      }
      const third = await t.user()
      const beside = await fetched(other, await postTo(other, [third], 'Beside you.'))
      const others = new Set([id, beside.body.message.recipient_id])
      for (const people of [[third], [other, third], [one]]) {
        const elsewhere = await fetched(one, await postTo(one, people, 'To others.'))
        const { recipient_id: another } = elsewhere.body.message
        const differs = Number.isInteger(another) && !others.has(another)
        t.that('LEVEL-482', elsewhere, differs, `\`recipient_id\` is none of ${[...others]}, which are others'`)
        namesAll(elsewhere, people)
      }
      t.that('MSG-FIELD-26', exchange, Array.isArray(message.display_recipient), '`display_recipient` is an array')
      namesAll(exchange, [other])
    },
  },
  {
    id: 'messages/sender-address',
    title: 'a message has the sender’s address as its reader may see it, and always an avatar',
    requirements: ids('MSG-FIELD', [17, 21, 22]),
    async run(t) {
      const { other: reader, channel } = await t.scene()
      const author = await t.newUser()
      await author.must('subscribe', { subscriptions: [{ name: channel.name }] })
      const { delivery_email: address } = (await author.must('get-own-user')).body
      const sent: number[] = []
      for (const visibility of [undefined, addressFor.administrators, addressFor.nobody]) {
        if (visibility !== undefined) {
          const hiding = await author.call('update-settings', { email_address_visibility: visibility })
          if (hiding.status !== 200) return void t.remarks.add('nobody may hide their address here')
        }
        const queue = await EventQueue.open(reader, { event_types: ['message'], fetch_event_types: [] })
        sent.push(await post(author, channel, t.unique('address'), 'Who says so?'))
        sent.push(await postTo(author, [reader], 'Who says so?'))
        const told = await queue.until(({ message }) => message?.id === sent.at(-1))
        await queue.close()
        for (const who of [reader, author]) {
          const known = await who.must('get-user', { user_id_or_email: String(author.userId) })
          const { email } = known.body.user
          const holds = (exchange: Exchange, message: Json): void => {
            const named = objectsIn(message?.display_recipient).filter(({ id }) => id === author.userId)
            const isSo = message?.sender_email === email && named.every((one) => one.email === email)
            t.that('MSG-FIELD-17', exchange, isSo, `"${email}" is the address of user ${author.userId}`)
          }
          const isOf = (id: unknown) => told.events.find(({ message }) => message?.id === id)
          if (who === reader) for (const id of sent.slice(-2)) holds(told.exchange, isOf(id)?.message)
          for (const id of sent) {
            for (const [exchange, isWhole] of [
              [await fetched(who, id), false],
              [await fetchedInList(who, id, { client_gravatar: true }), false],
              [await fetchedInList(who, id, { client_gravatar: false }), true],
            ] as const) {
              const message = messageOf(exchange)
              holds(exchange, message)
              if (who === author) continue
              const isText = typeof message.avatar_url === 'string'
              const isKnown = isText || message.sender_email === address
              const because = isWhole ? '`client_gravatar` is false' : 'the address of the sender is hidden'
              if (isWhole || visibility === addressFor.nobody)
                t.that('MSG-FIELD-21', exchange, isText, `a string, as ${because}`)
              t.that('MSG-FIELD-22', exchange, isKnown, `\`avatar_url\`, or \`sender_email\` is "${address}"`)
            }
          }
        }
      }
    },
  },
  {
    id: 'messages/content',
    title: 'content is returned as HTML or as it was written',
    requirements: [...ids('MSG-FIELD', [11, 12, 13, 14, 24, 42]), ...ids('MSG-GET', [1, 2, 3, 6])],
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const markdown = 'Some **bold** words.'
      const id = await post(author, channel, t.unique('messages'), markdown)
      const usual = await fetched(reader, id)
      const html = await fetched(reader, id, { apply_markdown: true })
      const raw = await fetched(reader, id, { apply_markdown: false })
      const isHtml = ({ body }: Exchange): boolean => String(body.message.content).includes('<strong>bold</strong>')
      t.that('MSG-GET-1', usual, usual.body.message?.id === id, `the message ${id}`)
      t.that('MSG-GET-6', usual, typeof usual.body.message === 'object', '`message` is an object')
      t.that('MSG-FIELD-11', html, isHtml(html), '`content` is HTML with `<strong>bold</strong>`')
      t.that('MSG-FIELD-13', html, html.body.message.content_type === 'text/html', '`content_type` is "text/html"')
      const ofBot = await t.deployment.given.find(({ isBot }) => isBot)?.call('get-message', { message_id: id })
      for (const one of [usual, ...(ofBot?.status === 200 ? [ofBot] : [])])
        t.that('MSG-GET-2', one, isHtml(one), '`content` is HTML')
      t.that('MSG-GET-3', raw, raw.body.message.content === markdown, `\`content\` is "${markdown}"`)
      t.that('MSG-FIELD-12', raw, raw.body.message.content === markdown, `\`content\` is "${markdown}"`)
      const isMarkdown = raw.body.message.content_type === 'text/x-markdown'
      t.that('MSG-FIELD-14', raw, isMarkdown, '`content_type` is "text/x-markdown"')
      for (const one of [usual, raw])
        t.that('MSG-FIELD-42', one, one.body.raw_content === markdown, `\`raw_content\` is "${markdown}"`)
      const waved = await fetched(reader, await post(author, channel, t.unique('messages'), '/me waves'))
      t.that('MSG-FIELD-24', waved, waved.body.message.is_me_message === true, '`is_me_message` is true')
    },
  },
  {
    ...base,
    id: 'messages/empty-topic',
    title: 'the empty topic has its display name unless the client knows it',
    requirements: ['EMPTY-1', 'EMPTY-2', 'MSG-FIELD-8', 'MSG-GET-4', 'MSG-GET-5'],
    async run(t) {
      const { user: author, other: reader, channel } = await t.scene()
      const state = await organizationOf(author)
      const name = state.body.realm_empty_topic_display_name
      t.that('EMPTY-2', state, typeof name === 'string', '`realm_empty_topic_display_name` is a string')
      emptyTopicName(t, state)
      const nameless = { type: 'stream', to: channel.id, topic: '', content: 'No topic.' }
      const sent = await author.call('send-message', nameless)
      if (!t.that('EMPTY-1', sent, sent.status === 200, 'a message without a topic is sent')) return
      const usual = await fetched(reader, sent.body.id)
      const knowing = await fetched(reader, sent.body.id, { allow_empty_topic_name: true })
      const shown = usual.body.message.subject === name
      t.that('MSG-FIELD-8', usual, shown, `\`subject\` is "${name}"`)
      t.that('MSG-GET-4', usual, shown, `\`subject\` is "${name}"`)
      t.that('MSG-GET-5', knowing, knowing.body.message.subject === '', '`subject` is empty text')
    },
  },
  {
    ...base,
    id: 'messages/hidden',
    title: 'a message that the caller may not see is treated as nonexistent',
    requirements: ['MSG-GET-8', 'MSG-GET-9', 'MSG-GET-10'],
    async run(t) {
      const { user: one, other } = await t.scene()
      const stranger = await t.user()
      const sent = await one.must('send-message', { type: 'private', to: [other.userId], content: 'Between us.' })
      const hidden = await stranger.call('get-message', { message_id: sent.body.id })
      const nothing = await stranger.call('get-message', { message_id: idOfNothing })
      t.that('MSG-GET-9', hidden, hidden.body?.code === 'BAD_REQUEST', 'BAD_REQUEST for a message of others')
      t.that('MSG-GET-8', nothing, nothing.body?.code === 'BAD_REQUEST', 'BAD_REQUEST for an ID that no message has')
      for (const exchange of [hidden, nothing]) {
        t.refusedWith('MSG-GET-10', exchange, 'Invalid message(s)')
      }
    },
  },
]

/** Undefined if the server does not send linkifiers. */
async function linkifiersOf(account: Account): Promise<readonly Json[] | undefined> {
  const { body } = await account.must('register-queue', {
    event_types: ['realm_linkifiers'],
    client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
  })
  await account.call('delete-queue', { queue_id: body.queue_id })
  return Array.isArray(body.realm_linkifiers) ? body.realm_linkifiers : undefined
}

function isTopic(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '' && text.length <= 60
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function isRecipient(person: Readonly<Record<string, unknown>>): boolean {
  const { id, email, full_name: fullName, is_mirror_dummy: isDummy } = person
  return (
    Number.isInteger(id) && typeof email === 'string' && typeof fullName === 'string' && typeof isDummy === 'boolean'
  )
}
