import type { Account } from '../deployment/account.ts'
import { type Event, EventQueue, type Waited } from '../deployment/event-queue.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { Check } from '../kernel/check.ts'
import { fetched, post } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { isSameList, listOf } from '../wire/values.ts'

const base = { area: 'Writes at the same time' } as const
const rule = 'CONTRACT-ORDER'
/** More than a server processes at once, and below its limits. */
const together = 4

/**
 * Simultaneous writes. Each server decides which comes first, and whether it refuses a write that has nothing to do,
 * but not what remains after all of them.
 */
export const checks: readonly Check[] = [
  {
    ...base,
    id: 'races/reaction-twice',
    title: 'two simultaneous equal reactions are stored once, and announced once',
    requirements: [rule],
    also: ['remove-reaction'],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const id = await post(author, await t.channel(author, [reader]), 'races', 'To react to.')
      const queue = await EventQueue.open(author, { event_types: ['reaction'] })
      for (const [operation, op, left] of [
        ['add-reaction', 'add', 1],
        ['remove-reaction', 'remove', 0],
      ] as const) {
        const twice = () => reader.call(operation, { message_id: id, emoji_name: 'octopus' })
        const answers = await Promise.all([twice(), twice()])
        const last = answers.find(succeeded) ?? (answers[0] as Exchange)
        t.that(rule, last, succeeded(last), 'one of the two succeeds')
        const seen = await fetched(author, id)
        const found = listOf(seen.body.message?.reactions).filter(({ user_id }) => user_id === reader.userId)
        t.that(rule, seen, found.length === left, `${left} reactions of user ${reader.userId}`)
        const fence = op === 'add' ? 'tada' : 'heart'
        await author.must('add-reaction', { message_id: id, emoji_name: fence })
        const told = await queue.until({ type: 'reaction', op: 'add', emoji_name: fence })
        const count = told.events.filter((event) => event.op === op && event.user_id === reader.userId).length
        t.that(rule, told.exchange, count === 1, `one event "${op}" of user ${reader.userId}; there are ${count}`)
      }
    },
  },
  {
    ...base,
    id: 'races/channel-twice',
    title: 'two people who create a channel at the same moment share one channel',
    requirements: [rule],
    async run(t) {
      const people = [await t.user(), await t.user()] as const
      const name = t.unique('race')
      const made = { subscriptions: [{ name }] }
      const answers = await Promise.all(people.map((person) => person.call('subscribe', made)))
      for (const [index, answer] of answers.entries()) {
        // People who are refused because of another request try again.
        if (!succeeded(answer)) await people[index]?.must('subscribe', made)
      }
      const listed = await people[0].must('get-streams')
      const found = listOf(listed.body.streams).filter((channel) => channel.name === name)
      if (!t.that(rule, listed, found.length === 1, `one channel "${name}"; there are ${found.length}`)) return
      const inside = await people[1].must('get-subscribers', { stream_id: found[0]?.stream_id })
      const wanted = people.map(({ userId }) => userId)
      t.that(rule, inside, isSameList(inside.body.subscribers, wanted), `\`subscribers\` are ${wanted.join(' and ')}`)
      for (const person of people) {
        const own = await person.must('get-subscriptions')
        const count = listOf(own.body.subscriptions).filter((channel) => channel.name === name).length
        t.that(rule, own, count === 1, `"${name}" once among the subscriptions; it is there ${count} times`)
      }
    },
  },
  {
    ...base,
    id: 'races/edits',
    title: 'simultaneous edits of a message form one history, and the last event has the final content',
    requirements: [rule],
    async run(t) {
      const [author, reader] = [await t.user(), await t.user()]
      const id = await post(author, await t.channel(author, [reader]), 'races', 'Before.')
      const queue = await EventQueue.open(reader, { event_types: ['update_message', 'reaction'] })
      const contents = Array.from({ length: together }, (_, index) => `Edit ${index}.`)
      const answers = await Promise.all(
        contents.map((content) => author.call('update-message', { message_id: id, content })),
      )
      const done = contents.filter((_, index) => succeeded(answers[index] as Exchange))
      t.that(rule, answers[0] as Exchange, done.length > 0, 'one of the edits succeeds')
      const history = await author.must('get-message-history', { message_id: id })
      const entries = listOf(history.body.message_history)
      const isAll = isSameList(
        entries.map(({ content }) => content),
        ['Before.', ...done],
      )
      t.that(rule, history, isAll, `each of ${done.length} edits once, after the original`)
      const isChain = entries.every((entry, at) => at === 0 || entry.prev_content === entries[at - 1]?.content)
      t.that(rule, history, isChain, 'each `prev_content` is the content of the entry before')
      const now = await fetched(reader, id, { apply_markdown: false })
      const end: unknown = entries.at(-1)?.content
      const says = `\`content\` is that of the newest entry, ${JSON.stringify(end)}`
      t.that(rule, now, now.body.message?.content === end, says)
      const told = await fenced(queue, author, id)
      const edits = told.events.filter(({ type }) => type === 'update_message')
      const expected = `${done.length} events of edits; there are ${edits.length}`
      t.that(rule, told.exchange, edits.length === done.length, expected)
      const words = `the last event has the content ${JSON.stringify(end)}`
      t.that(rule, told.exchange, edits.at(-1)?.content === end, words)
    },
  },
  {
    ...base,
    id: 'races/sends',
    title: 'messages sent at the same time are all stored, once each',
    requirements: [rule],
    async run(t) {
      const people = [await t.user(), await t.user()] as const
      const channel = await t.channel(people[0], [people[1]])
      const queue = await EventQueue.open(people[1], { event_types: ['message', 'reaction'], narrow: ofOnly(channel) })
      // Messages with equal texts are still separate messages.
      const contents = Array.from({ length: together * 2 }, (_, index) => `At once ${index >> 1}.`)
      const ids = await Promise.all(
        contents.map((content, index) => post(people[index % 2] as Account, channel, 'races', content)),
      )
      const listed = await people[0].must('get-messages', {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        apply_markdown: false,
        narrow: ofOnly(channel).map(([operator, operand]) => ({ operator, operand })),
      })
      const found = listOf(listed.body.messages)
      const isAll = isSameList(
        found.map((message) => `${message.id} ${message.content} ${message.sender_id}`),
        ids.map((id, index) => `${id} ${contents[index]} ${people[index % 2]?.userId}`),
      )
      t.that(rule, listed, isAll, `the messages ${ids.join(', ')}, each with what was sent`)
      const last = await post(people[0], channel, 'races', 'After all.')
      const told = await queue.until((event) => event.type === 'message' && event.message?.id === last)
      const heard = told.events.map((event) => event.message?.id)
      t.that(
        rule,
        told.exchange,
        isSameList(heard, [...ids, last]),
        `events of the messages ${ids.join(', ')}, once each`,
      )
    },
  },
  {
    ...base,
    id: 'races/own-lists',
    title: 'simultaneous additions to a list are all stored, and the last event has the final list',
    requirements: [rule],
    async run(t) {
      const person = await t.newUser()
      const queue = await EventQueue.open(person, { event_types: ['alert_words', 'realm_user'] })
      const words = Array.from({ length: together }, (_, index) => `racing ${index}`)
      await Promise.all(words.map((word) => person.must('add-alert-words', { alert_words: [word] })))
      const listed = await person.must('get-alert-words')
      t.that(rule, listed, isSameList(listed.body.alert_words, words), `the words ${words.join(', ')}, once each`)
      const names = words.map((word) => `${person.fullName} ${word}`)
      const renamed = await Promise.all(names.map((full_name) => person.call('update-settings', { full_name })))
      const own = await person.must('get-own-user')
      const name: unknown = own.body.full_name
      if (!renamed.some(succeeded)) return // an organization may forbid it
      t.that(rule, own, names.includes(String(name)), '`full_name` is one of those that were sent')
      await person.must('add-alert-words', { alert_words: ['finish'] })
      const told = await queue.until((event) => listOf(event.alert_words).length > words.length)
      const lists = told.events.filter(({ type }) => type === 'alert_words')
      const isWhole = isSameList(lists.at(-2)?.alert_words, words)
      t.that(rule, told.exchange, isWhole, 'the last event before that of "finish" has all words')
      const last = told.events.findLast(({ person: changed }) => changed?.user_id === person.userId)
      const says = `the last event has the name ${JSON.stringify(name)}`
      t.that(rule, told.exchange, last?.person.full_name === name, says)
    },
  },
]

/** All events up to a reaction that `author` adds now, after everything else. */
async function fenced(queue: EventQueue, author: Account, messageId: number): Promise<Waited> {
  await author.must('add-reaction', { message_id: messageId, emoji_name: 'tada' })
  return await queue.until((event: Event) => event.type === 'reaction' && event.message_id === messageId)
}

function ofOnly(channel: Channel): readonly (readonly string[])[] {
  return [
    ['stream', channel.name],
    ['topic', 'races'], // other servers send their own messages to a new channel
  ]
}

function succeeded({ status, body }: Exchange): boolean {
  return status === 200 && body?.result === 'success'
}
