import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind, Run } from '../run.ts'
import { CONTENTS, noted } from './send.ts'

interface ChangeMessage {
  readonly actor: Person
  readonly message: number
  /** Whether its own author does it. */
  readonly isOwn: boolean
}
export interface EditMessage extends ChangeMessage {
  readonly kind: 'edit message'
  readonly content: string
}
export interface DeleteMessage extends ChangeMessage {
  readonly kind: 'delete message'
}
export interface AddToWidget {
  readonly kind: 'add to widget'
  readonly actor: Person
  readonly poll: number
}

const change = {
  actor: fc.constantFrom(...PEOPLE),
  message: fc.nat({ max: 50 }),
  isOwn: fc.constantFrom(true, true, true, false),
}

export const editMessage: ActionKind<EditMessage> = {
  kinds: ['edit message'],
  weight: 5,
  any: fc.record({
    kind: fc.constant('edit message' as const),
    content: fc.constantFrom(...CONTENTS, ''),
    ...change,
  }),
  request(run, { content, ...action }) {
    const { id, by } = meant(run, action)
    return run.as(by).patch(`/messages/${id}`, { content })
  },
}

export const deleteMessage: ActionKind<DeleteMessage> = {
  kinds: ['delete message'],
  weight: 2,
  any: fc.record({ kind: fc.constant('delete message' as const), ...change }),
  async request(run, action) {
    const { id, by } = meant(run, action)
    const { body } = await run.as(by).get(`/messages/${id}`)
    const answer = await run.as(by).delete(`/messages/${id}`)
    if (answer.status === 200) {
      run.deleted.set(
        id,
        run.channels.find((channel) => channel.id === body.message?.stream_id),
      )
    }
    return answer
  },
}

function meant(run: Run, { actor, message, isOwn }: ChangeMessage): { id: number; by: Person } {
  const id = run.message(message)
  return { id, by: (isOwn && run.authors.get(id)) || actor }
}

export const addToWidget: ActionKind<AddToWidget> = {
  kinds: ['add to widget'],
  weight: 2,
  any: fc.record({
    kind: fc.constant('add to widget' as const),
    actor: fc.constantFrom(...PEOPLE),
    poll: fc.nat({ max: 5 }),
  }),
  async request(run, { actor, poll }) {
    if (run.polls.length === 0) {
      const message = { type: 'channel', to: run.channel(0)?.id ?? 0, topic: 'polls', content: '/poll Tea?' }
      await noted(run, actor, message.content, run.as(actor).post('/messages', message))
    }
    return run.as(actor).post('/submessage', {
      message_id: run.polls[poll % run.polls.length] ?? run.message(poll),
      msg_type: 'widget',
      content: '{"type":"vote","key":"canned,0","vote":1}',
    })
  },
}
