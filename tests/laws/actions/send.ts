import fc from 'fast-check'
import type { Answer } from '../../../server/testing.ts'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind, Run } from '../run.ts'
import { SEARCHED_CONTENTS } from '../spellings.ts'

interface Sending {
  readonly actor: Person
  readonly content: string
  readonly readBySender: boolean | undefined
}
export interface SendToChannel extends Sending {
  readonly kind: 'send to channel'
  readonly channel: number
  readonly byName: boolean
  readonly topic: string
}
export interface SendDirect extends Sending {
  readonly kind: 'send direct message' | 'send group message'
  readonly others: readonly Person[]
  readonly byEmail: boolean
}

export const CONTENTS = [
  ...SEARCHED_CONTENTS,
  'Hello.',
  '**bold** and `code`',
  '@**Max Member** and @**Gus Guest**, look',
  '@_**Max Member** is not disturbed',
  '@**all** come',
  '@**topic** what now?',
  '`@**all**` is code',
  '/me waves',
  '/poll Tea?\ngreen',
]
/** Topics whose comparison any client gets right by lowering letters. */
export const PLAIN_TOPICS = ['lunch', 'Lunch', 'LUNCH', 'plans', '', 'general chat', 'Müller']

const sending = {
  actor: fc.constantFrom(...PEOPLE),
  content: fc.constantFrom(...CONTENTS),
  readBySender: fc.constantFrom(true, false, undefined),
}
const others = (least: number, most: number) =>
  fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: least, maxLength: most })

/** The answer to a message that was sent, of which the run takes note. */
export async function noted(run: Run, author: Person, content: string, sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent
  if (answer.status !== 200) return answer
  const { id } = answer.body
  run.messages.push(id)
  run.authors.set(id, author)
  if (content.startsWith('/poll')) run.polls.push(id)
  return answer
}

export function sendToChannel(topics: readonly string[]): ActionKind<SendToChannel> {
  return {
    kinds: ['send to channel'],
    weight: 10,
    any: fc.record({
      kind: fc.constant('send to channel' as const),
      channel: fc.nat({ max: 5 }),
      byName: fc.boolean(),
      topic: fc.constantFrom(...topics),
      ...sending,
    }),
    request(run, { actor, channel, byName, topic, content, readBySender }) {
      const to = run.channel(channel)
      const parameters = {
        type: 'channel',
        to: byName ? (to?.name ?? 'no such channel') : (to?.id ?? 0),
        topic,
        content,
        read_by_sender: readBySender,
      }
      return noted(run, actor, content, run.as(actor).post('/messages', parameters))
    },
  }
}

export const sendDirect: ActionKind<SendDirect> = {
  kinds: ['send direct message', 'send group message'],
  weight: 5,
  any: fc.oneof(
    fc.record({
      kind: fc.constant('send direct message' as const),
      others: others(1, 1),
      byEmail: fc.boolean(),
      ...sending,
    }),
    fc.record({
      kind: fc.constant('send group message' as const),
      others: others(2, 4),
      byEmail: fc.boolean(),
      ...sending,
    }),
  ),
  request(run, { actor, others, byEmail, content, readBySender }) {
    const to = run.named(others, byEmail)
    const parameters = { type: 'direct', to, content, read_by_sender: readBySender }
    return noted(run, actor, content, run.as(actor).post('/messages', parameters))
  },
}
