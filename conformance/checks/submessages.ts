import { isDeepStrictEqual } from 'node:util'
import { EventQueue } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import { fetched, fetchedInList, messageOf, post } from '../kernel/messaging.ts'

export const checks: readonly WrittenCheck[] = [
  {
    id: 'submessages/poll',
    title: 'a poll and its votes are submessages',
    requirements: ids('SUBMSG', [1, 2, 3, 4, 5]),
    async run(t) {
      const { user: author, other: voter, channel } = await t.scene()
      const queue = await EventQueue.open(voter, { event_types: ['message'] })
      const id = await post(author, channel, t.unique('submessages'), '/poll Which?\nOne\nTwo')
      const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
      await voter.must('add-submessage', { message_id: id, msg_type: 'widget', content: vote })
      const exchange = await fetched(voter, id, { apply_markdown: false })
      const listed = await fetchedInList(voter, id)
      const { submessages } = exchange.body.message
      const isListed = isDeepStrictEqual(messageOf(listed).submessages, submessages)
      t.that('SUBMSG-1', listed, isListed, '`submessages` as the message has them alone')
      const [first, second, ...more] = submessages
      const told = await queue.until({ type: 'message', message: { id } })
      const isTold = isDeepStrictEqual(told.event?.message.submessages, [first])
      t.that('SUBMSG-1', told.exchange, isTold, `message ${id} with its first submessage; but ${told.lacked}`)
      const all = [first, second]
      const is = (requirement: string, holds: boolean, expected: string): boolean =>
        t.that(requirement, exchange, holds && more.length === 0, `two submessages, and ${expected}`)
      const ofBoth = (name: string): unknown[] => all.map((one) => one?.[name])
      is('SUBMSG-1', ofBoth('id').every(Number.isInteger) && first.id !== second.id, 'each has an integer `id`')
      is('SUBMSG-2', ofBoth('message_id').join() === `${id},${id}`, `\`message_id\` is ${id}`)
      const senders = [author.userId, voter.userId].join()
      is('SUBMSG-3', ofBoth('sender_id').join() === senders, `\`sender_id\` is ${senders.replace(',', ', then ')}`)
      is('SUBMSG-4', ofBoth('msg_type').join() === 'widget,widget', '`msg_type` is "widget"')
      const isPoll = typeof first?.content === 'string' && first.content.includes('Which?')
      is('SUBMSG-5', isPoll && second?.content === vote, '`content` is the poll and then the vote, as text')
    },
  },
]
