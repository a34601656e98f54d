import type { Exchange } from '../wire/http.ts'
import { isStandIn, type Json, listOf, objectsIn } from '../wire/values.ts'

/** A field that had one value in one answer, and another value in another. */
export interface Contradiction {
  readonly exchange: Exchange
  /** Such as `timestamp of message 7`. */
  readonly what: string
  readonly value: unknown
  readonly before: unknown
  /** The request whose answer had it: `GET /api/v1/messages`. */
  readonly where: string
}

interface Known {
  readonly value: unknown
  readonly where: string
}

/** Records a constant value of a thing. */
type Say = (what: string, value: unknown) => void

const mostKnown = 200_000

/**
 * Values of messages, channels, users, files and lists of recipients that never change: not with the reader, not with
 * the answer or event, and not with what happens to others.
 */
export class Constants {
  readonly #known = new Map<string, Known>()
  readonly #contradictions = new Map<string, Contradiction>()
  readonly #tellsMoves: boolean
  /** Number of values that were read again. */
  held = 0

  /** @param tellsMoves whether messages say that they were moved (`last_moved_timestamp`, from level 365 on) */
  constructor(tellsMoves: boolean) {
    this.#tellsMoves = tellsMoves
  }

  /** Checks everything in an answer against earlier answers. */
  note(exchange: Exchange): void {
    const say: Say = (what, value) => this.#hold(exchange, what, value)
    for (const one of messagesOf(exchange.body)) message(one, say, this.#tellsMoves)
    for (const one of channelsOf(exchange.body))
      fields(['date_created', 'creator_id'], one, `channel ${one.stream_id}`, say)
    for (const one of usersOf(exchange.body))
      fields(['date_joined', 'is_bot', 'bot_type'], one, `user ${one.user_id}`, say)
    for (const one of filesOf(exchange.body))
      fields(['path_id', 'name', 'size', 'create_time'], one, `file ${one.id}`, say)
    for (const one of objectsIn(exchange.body?.events)) {
      if (one.type === 'reaction') reaction(one, say)
      if (one.type === 'submessage') submessage({ ...one, id: one.submessage_id }, say)
    }
  }

  contradictions(): readonly Contradiction[] {
    return [...this.#contradictions.values()]
  }

  #hold(exchange: Exchange, what: string, value: unknown): void {
    if (value === undefined) return
    const known = this.#known.get(what)
    if (known === undefined) {
      const { method, path } = exchange.request
      const where = `${method} ${path.split('?')[0]}`
      if (this.#known.size < mostKnown) this.#known.set(what, { value, where })
      return
    }
    this.held += 1
    if (known.value === value || this.#contradictions.has(what)) return
    this.#contradictions.set(what, { exchange, what, value, before: known.value, where: known.where })
  }
}

function messagesOf(body: Json): Json[] {
  const events = objectsIn(body?.events).flatMap((event) => (event.type === 'message' ? [event.message] : []))
  const all = objectsIn([body?.message, ...listOf(body?.messages), ...events])
  return all.filter((one) => Number.isInteger(one.id) && Number.isInteger(one.sender_id))
}

function channelsOf(body: Json): Json[] {
  const events = objectsIn(body?.events).flatMap((event) => [...listOf(event.subscriptions), ...listOf(event.streams)])
  const lists = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'].flatMap((name) => listOf(body?.[name]))
  return objectsIn([body?.stream, ...lists, ...events]).filter((one) => Number.isInteger(one.stream_id))
}

function usersOf(body: Json): Json[] {
  const events = objectsIn(body?.events).flatMap((event) => (event.op === 'add' ? [event.person] : []))
  const lists = ['members', 'realm_users', 'realm_non_active_users'].flatMap((name) => listOf(body?.[name]))
  const all = objectsIn([body?.user, ...lists, ...events])
  return all.filter((one) => Number.isInteger(one.user_id) && typeof one.is_bot === 'boolean' && !isStandIn(one))
}

function filesOf(body: Json): Json[] {
  const events = objectsIn(body?.events).flatMap((event) => (event.type === 'attachment' ? [event.attachment] : []))
  const all = objectsIn([...listOf(body?.attachments), ...listOf(body?.detached_uploads), ...events])
  return all.filter((one) => Number.isInteger(one.id) && typeof one.path_id === 'string')
}

function fields(names: readonly string[], one: Json, what: string, say: Say): void {
  for (const name of names) say(`\`${name}\` of ${what}`, one[name])
}

function message(one: Json, say: Say, tellsMoves: boolean): void {
  const what = `message ${one.id}`
  fields(['sender_id', 'timestamp', 'client', 'sender_realm_str', 'type'], one, what, say)
  for (const each of objectsIn(one.reactions)) reaction({ ...each, message_id: one.id }, say)
  for (const each of objectsIn(one.submessages)) submessage(each, say)
  if (one.last_moved_timestamp !== undefined) return
  if (one.type === 'stream') {
    if (tellsMoves) say(`\`stream_id\` of ${what}`, one.stream_id)
    recipients(`channel ${one.stream_id}`, one.recipient_id, say)
    return
  }
  const people = objectsIn(one.display_recipient).map(({ id }) => Number(id))
  say(`\`display_recipient\` of ${what}`, people.toSorted((first, second) => first - second).join())
  // For two people the id depends on the reader, and on the level.
  if (people.length > 2)
    recipients(`users ${people.toSorted((first, second) => first - second)}`, one.recipient_id, say)
}

/** Each list of recipients has one id, which no other list has. */
function recipients(who: string, id: unknown, say: Say): void {
  if (id === undefined) return
  say(`\`recipient_id\` of ${who}`, id)
  say(`what has the \`recipient_id\` ${id}`, who)
}

/** One emoji name stands for one emoji. */
function reaction(one: Json, say: Say): void {
  if (one.reaction_type === 'realm_emoji') return
  const what = `reactions "${one.emoji_name}" to message ${one.message_id}`
  fields(['emoji_code', 'reaction_type'], one, what, say)
}

function submessage(one: Json, say: Say): void {
  fields(['message_id', 'sender_id', 'msg_type', 'content'], one, `submessage ${one.id}`, say)
}
