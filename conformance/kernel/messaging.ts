import { setTimeout } from 'node:timers/promises'
import { type Account, operationNamed, requestOf, type Values } from '../deployment/account.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { Exchange } from '../wire/http.ts'
import { type Json, listOf } from '../wire/values.ts'
import type { CheckContext } from './check-context.ts'

/** @returns the id of the message */
export async function post(author: Account, channel: Channel, topic: string, content: string): Promise<number> {
  const sent = await author.must('send-message', { type: 'stream', to: channel.id, topic, content })
  return Number(sent.body.id)
}

/** @returns the id of the direct message */
export async function postTo(author: Account, people: readonly Account[], content: string): Promise<number> {
  const to = people.map(({ userId }) => userId)
  const sent = await author.must('send-message', { type: 'private', to, content })
  return Number(sent.body.id)
}

/** A new public channel without topics: deployed servers announce a new channel in a topic of it. */
export async function channelWithoutTopics(
  t: CheckContext,
  owner: Account,
  others: readonly Account[],
): Promise<Channel> {
  const channel = await t.channel(owner, others)
  const { body } = await owner.must('get-stream-topics', { stream_id: channel.id })
  for (const { name } of body.topics as readonly { name: string }[]) {
    await t.person('administrator').must('delete-topic', { stream_id: channel.id, topic_name: name })
  }
  return channel
}

export function fetched(reader: Account, id: number, values: Values = {}): Promise<Exchange> {
  return reader.must('get-message', { message_id: id, ...values })
}

/** GET /messages with this message alone. */
export function fetchedInList(reader: Account, id: number, values: Values = {}): Promise<Exchange> {
  return reader.must('get-messages', { anchor: id, num_before: 0, num_after: 0, ...values })
}

/** The message of `fetched`, or of `fetchedInList`. */
export function messageOf({ body }: Exchange): Json {
  return body.message ?? listOf(body.messages)[0] ?? {}
}

/** The answer of an operation to a request without credentials. */
export function ofNobody({ deployment }: CheckContext, operation: string, values: Values = {}): Promise<Exchange> {
  return deployment.send(requestOf(operationNamed(deployment.contract, operation), values))
}

/** The organization and the server's limits, as POST /register returns them to `account`. */
export function organizationOf(account: Account): Promise<Exchange> {
  return account.must('register-queue', { event_types: ['realm'] })
}

/**
 * The name that clients show for the empty topic. Leaves the check out if there is no such topic.
 *
 * @param organization answer of POST /register
 */
export function emptyTopicName(t: CheckContext, { body: organization }: Exchange): unknown {
  if (t.level < 334) t.leaveOut('before level 334 no topic is empty')
  if (wantsNames(organization)) t.leaveOut('the organization wants a name for every topic')
  return organization.realm_empty_topic_display_name
}

/** Whether messages may be sent to the empty topic. @param organization answer of POST /register */
export function hasEmptyTopic(t: CheckContext, { body: organization }: Exchange): boolean {
  return t.level >= 334 && !wantsNames(organization)
}

function wantsNames(organization: Json): boolean {
  return organization.realm_topics_policy === 'disable_empty_topic' || organization.realm_mandatory_topics === true
}

/**
 * Leaves the check out if nobody may edit a message.
 *
 * @param organization answer of POST /register
 */
export function needEditing(t: CheckContext, { body: organization }: Exchange): void {
  if (organization.realm_allow_message_editing === false) {
    t.leaveOut('the organization has turned off the editing of messages')
  }
}

/** The server's clock, if it sends one, in UNIX seconds. */
export function clockOf({ headers }: Exchange): number {
  const told = Date.parse(headers.get('date') ?? '')
  return (Number.isNaN(told) ? Date.now() : told) / 1000
}

/** Whether `timestamp` is a whole second of the last minute, which leaves room for slow machines. */
export function isNow(timestamp: unknown, exchange: Exchange): boolean {
  return Number.isInteger(timestamp) && Math.abs(Number(timestamp) - clockOf(exchange)) < 60
}

/** A server that works on something need not answer hundreds of questions meanwhile. */
const PAUSE_MS = 50

/**
 * Repeats a request until the answer is ready or time is up, and returns the last answer. For work that a server does
 * after its answer and without an event, such as indexing.
 */
export async function answerWhen(
  { patienceMs, waitMs }: Account,
  ask: () => Promise<Exchange>,
  isReady: (exchange: Exchange) => boolean,
): Promise<Exchange> {
  const deadline = performance.now() + patienceMs
  // A run that replays recorded answers does not wait, and needs no more of them than were recorded with pauses.
  const mostAsks = patienceMs / PAUSE_MS
  for (let asks = 1; ; asks += 1) {
    const exchange = await ask()
    if (isReady(exchange) || asks >= mostAsks || performance.now() >= deadline) return exchange
    if (waitMs > 0) await setTimeout(PAUSE_MS)
  }
}
