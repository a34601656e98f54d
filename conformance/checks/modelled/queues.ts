import type { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, effectRule, type Shows } from '../../kernel/effect.ts'
import { listen } from '../../kernel/listening.ts'
import { fits, type Term } from '../../model/narrow.ts'
import { pairsOf } from '../../model/terms.ts'
import type { ModelMessage, World } from '../../model/world.ts'
import { sentWorld } from './messages.ts'
import { emptyWorld, type Places, placesOf } from './places.ts'

export const checks: readonly Check[] = [
  effectNamed('modelled/queues', 'an event queue receives the new messages of its narrow', queues, effectRule),
]

async function queues(t: CheckContext, shows: Shows): Promise<void> {
  const places = await placesOf(t)
  const { reader } = places
  const people = emptyWorld(places, await emailsOf(places))
  const narrows = narrowsOf(t, places, people)
  const opened = await Promise.all(narrows.map((terms) => openWith(places, terms)))
  const world = { ...(await sentWorld(places)), people: people.people }
  // Every queue receives this event after all messages: narrows do not filter it.
  const last = { type: 'update_message_flags', op: 'add', flag: 'starred', messages: [world.messages[0]?.id] }
  await reader.must('update-message-flags', { messages: last.messages, op: last.op, flag: last.flag })
  for (const [index, queue] of opened.entries()) {
    const terms = narrows[index] ?? []
    const { event, events, exchange, lacked } = await queue.until(last)
    if (!shows(exchange, event !== undefined, `${JSON.stringify(last)}; but ${lacked}`)) continue
    const certain = world.messages.filter((message) => isCertain(t, reader.userId, message, terms))
    const ids = events.flatMap((one) => (one.type === 'message' ? [Number(one.message.id)] : []))
    const found = ids.filter((id) => certain.some((message) => message.id === id))
    const wanted = certain.filter((message) => fits(world, message, terms)).map(({ id }) => id)
    const narrow = JSON.stringify(terms)
    shows(exchange, found.join() === wanted.join(), `messages ${wanted.join() || 'none'}, in this order, of ${narrow}`)
  }
}

function openWith({ reader }: Places, terms: readonly Term[]): Promise<EventQueue> {
  return listen(reader, ['message', 'update_message_flags'], { narrow: pairsOf(terms) ?? terms })
}

/** Addresses as in messages, which may differ from the login addresses. */
async function emailsOf({ reader, author, third }: Places): Promise<Map<number, string>> {
  const profiles = await Promise.all([reader, author, third].map((person) => person.must('get-own-user')))
  return new Map(profiles.map(({ body }) => [body.user_id, body.email]))
}

/** Every term that a queue accepts, and some combinations. Only Parley documents ids and negation in queues. */
function narrowsOf({ isParley }: CheckContext, { topics, open, closed }: Places, { people }: World): Term[][] {
  const term = (operator: string, operand: Term['operand']): Term => ({ operator, operand })
  const [author, , third] = people.map(({ email }) => term('sender', email)) as [Term, Term, Term]
  const [main, other] = [topics.main, topics.other].map((name) => term('topic', name)) as [Term, Term]
  const isDirect = term('is', 'dm')
  const isMentioned = term('is', 'mentioned')
  const singles: Term[] = [
    ...[term('stream', open.name), term('channel', closed.name.toUpperCase())],
    ...[main, term('topic', topics.other.toUpperCase()), author, third],
    ...[isDirect, term('is', 'private'), isMentioned],
    ...['starred', 'unread', 'resolved'].map((what) => term('is', what)),
  ]
  const ofParley = [term('is', 'alerted'), term('channel', open.id), term('sender', people[2]?.id ?? 0)]
  if (isParley) singles.push(...ofParley, ...singles.map((one) => ({ ...one, negated: true })))
  return [
    [],
    ...singles.map((one) => [one]),
    [term('stream', closed.name), main],
    [author, isDirect],
    [isMentioned, other],
    [third, term('is', 'unread'), term('channel', open.name)],
    [term('stream', open.name), isDirect],
  ]
}

/** Servers differ in whether senders have read their messages; older ones count only mentions by name in queues. */
function isCertain({ isParley }: CheckContext, readerId: number, message: ModelMessage, terms: readonly Term[]) {
  const asks = (what: string): boolean => terms.some(({ operator, operand }) => operator === 'is' && operand === what)
  if (asks('unread') && message.senderId === readerId) return false
  return isParley || !asks('mentioned') || !message.flags.has('wildcard_mentioned')
}
