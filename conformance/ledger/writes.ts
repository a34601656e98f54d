import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { isIntegers, isObject, type Json, listOf, objectsIn } from '../wire/values.ts'
import { unknown } from './register.ts'
import { type List, lists, memberOf, type Thing, things } from './things.ts'

/** A change by a successful request. */
export interface Written {
  readonly thing: Thing
  readonly value: unknown
  /** For a list: it contains the member if `value` is true. */
  readonly member?: { readonly list: List; readonly name: string }
}

function written(thing: Thing, value: unknown): Written {
  return { thing, value }
}

function member(list: List, name: string | number, isIn: boolean | typeof unknown): Written {
  return { thing: memberOf(list, name), value: isIn, member: { list, name: String(name) } }
}

/** Ids of accounts that the run knows, by id or address; undefined for others. */
export type People = (idOrAddress: unknown) => number | undefined

interface Request {
  readonly values: ReadonlyMap<string, Json>
  readonly caller: number
  readonly people: People
  readonly body: Json
}

/** More messages than a run sends between two messages of a topic that moves as a whole. */
const widestTopic = 200
/** More messages than a run sends while one narrow gets a flag. */
const widestNarrow = 20_000

type Writer = (request: Request) => Iterable<Written>

const writers: Readonly<Record<string, Writer>> = {
  *'send-message'({ values, caller, body }) {
    const id = body.id
    if (!Number.isInteger(id)) return
    const [content, topic] = [values.get('content'), values.get('topic') ?? values.get('subject')]
    yield written(things.content(id), isPlain(content) ? content : unknown)
    if (isStream(values.get('type'))) yield written(things.topic(id), isTopic(topic) ? topic : unknown)
    yield written(things.sender(id), caller)
    yield written(things.existence(id), true)
  },
  'delete-message': ({ values }) => [written(things.existence(values.get('message_id')), false)],
  *'update-message'({ values }) {
    const [id, content] = [values.get('message_id'), values.get('content')]
    if (content !== undefined) yield written(things.content(id), isPlain(content) ? content : unknown)
    if (!['topic', 'subject', 'stream_id'].some((name) => values.has(name))) return
    yield written(things.topic(id), unknown)
    if (!isIntegers([id]) || (values.get('propagate_mode') ?? 'change_one') === 'change_one') return
    // The ledger cannot know which of the messages around it are in the topic.
    for (let other = Number(id) - widestTopic; other <= Number(id) + widestTopic; other++) {
      yield written(things.topic(other), unknown)
    }
  },
  'add-reaction': (request) => reaction(request, true),
  'remove-reaction': (request) => reaction(request, false),
  *'update-message-flags'({ values, caller }) {
    const [messages, op, flag] = ['messages', 'op', 'flag'].map((name) => values.get(name))
    if (flag !== 'starred' || !isIntegers(messages)) return
    for (const id of messages) yield member(lists.stars(caller), id, op === 'add')
  },
  *'update-message-flags-for-narrow'({ values, caller, body }) {
    const { first_processed_id: first, last_processed_id: last } = body
    if (values.get('flag') !== 'starred' || !isIntegers([first, last])) return
    // The ledger cannot know which of the messages between are in the narrow.
    for (let id = first; id <= Math.min(last, first + widestNarrow); id++) {
      yield member(lists.stars(caller), id, first === last ? values.get('op') === 'add' : unknown)
    }
  },
  *'update-user'({ values, people }) {
    const userId = people(values.get('user_id_or_email'))
    if (userId === undefined) return
    const [name, role] = [values.get('full_name'), values.get('role')]
    if (name !== undefined) yield written(things.fullName(userId), isName(name) ? name : unknown)
    if (role !== undefined) yield written(things.role(userId), role)
  },
  *'create-user'({ values, body }) {
    const name = values.get('full_name')
    if (!Number.isInteger(body.user_id)) return
    yield written(things.fullName(body.user_id), isName(name) ? name : unknown)
    yield written(things.isActive(body.user_id), true)
    yield written(things.role(body.user_id), 400)
  },
  *'deactivate-user'({ values, people }) {
    const userId = people(values.get('user_id_or_email'))
    if (userId !== undefined) yield written(things.isActive(userId), false)
  },
  'deactivate-own-user': ({ caller }) => [written(things.isActive(caller), false)],
  'reactivate-user': ({ values }) => [written(things.isActive(values.get('user_id')), true)],
  'update-own-status': ({ values, caller }) => status(caller, values),
  'update-user-status': ({ values }) => status(values.get('user_id'), values),
  'update-settings': settings,
  'update-display-settings': settings,
  'update-notification-settings': settings,
  'add-alert-words': (request) => alertWords(request, true),
  'remove-alert-words': (request) => alertWords(request, false),
  'mute-user': ({ values, caller }) => [member(lists.mutedUsers(caller), values.get('muted_user_id'), true)],
  'unmute-user': ({ values, caller }) => [member(lists.mutedUsers(caller), values.get('muted_user_id'), false)],
  *'update-subscription-setting'({ values, caller }) {
    const [id, property, value] = ['stream_id', 'property', 'value'].map((name) => values.get(name))
    yield* ownField(caller, id, property, typeof value === 'string' ? decodedValue(value) : value)
  },
  *'update-subscription-settings'({ values, caller }) {
    for (const { stream_id: id, property, value } of objectsIn(values.get('subscription_data')))
      yield* ownField(caller, id, property, value)
  },
  *subscribe({ values, caller, body }) {
    const refused = new Set<unknown>(body.unauthorized ?? [])
    for (const name of channelNames(values.get('subscriptions'))) {
      if (!refused.has(name)) yield* subscriptions(values, caller, name, true)
    }
  },
  *unsubscribe({ values, caller }) {
    for (const name of channelNames(values.get('subscriptions'))) yield* subscriptions(values, caller, name, false)
  },
  *'update-subscriptions'({ values, caller, body }) {
    const refused = new Set<unknown>(body.unauthorized ?? [])
    for (const name of channelNames(values.get('delete'))) yield subscription(caller, name, false)
    for (const name of channelNames(values.get('add'))) if (!refused.has(name)) yield subscription(caller, name, true)
  },
}

/** Changes by a successful request that can be seen elsewhere. */
export function writtenBy(
  { id }: Operation,
  values: ReadonlyMap<string, Json>,
  { caller, people }: { readonly caller: number; readonly people: People },
  { body }: Exchange,
): Written[] {
  return [...(writers[id]?.({ values, caller, people, body: body ?? {} }) ?? [])]
}

function* reaction({ values, caller }: Request, isThere: boolean): Iterable<Written> {
  const [id, name] = [values.get('message_id'), values.get('emoji_name')]
  // A vote with a code joins reactions with the same code, even under another name.
  if (typeof name === 'string')
    yield member(lists.reactions(id), `${caller} ${name}`, values.has('emoji_code') ? unknown : isThere)
}

function* status(userId: number, values: ReadonlyMap<string, Json>): Iterable<Written> {
  const text = values.get('status_text')
  if (text !== undefined) yield written(things.statusText(userId), text === '' || isPlain(text) ? text : unknown)
  const emoji = values.get('emoji_name')
  if (emoji !== undefined) yield written(things.statusEmoji(userId), emoji)
}

function* settings({ values, caller, body }: Request): Iterable<Written> {
  if (values.has('target_users')) return
  const isIgnored = new Set<unknown>(listOf(body?.ignored_parameters_unsupported))
  for (const [name, value] of values) {
    if (isIgnored.has(name)) continue
    if (name === 'full_name') yield written(things.fullName(caller), isName(value) ? value : unknown)
    else yield written(things.setting(caller, name), value)
  }
}

/** `in_home_view` is the old name of the opposite of `is_muted`. Servers may keep the capitals of a colour, or not. */
function* ownField(userId: number, channelId: number, property: string, value: unknown): Iterable<Written> {
  const kept = property === 'color' && /[A-F]/.test(String(value)) ? unknown : value
  if (property === 'in_home_view') yield written(things.ownField(userId, channelId, 'is_muted'), value === false)
  else yield written(things.ownField(userId, channelId, property), kept)
}

function decodedValue(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text
}

function alertWords({ values, caller }: Request, isThere: boolean): Written[] {
  const words = listOf(values.get('alert_words')).filter((one) => typeof one === 'string')
  return words.map((word) => member(lists.alertWords(caller), word.trim().toLowerCase(), isThere))
}

function subscription(userId: number, channel: string, isSubscribed: boolean | typeof unknown): Written {
  return member(lists.subscriptions(userId), channel.trim().toLowerCase(), isSubscribed)
}

/** Channels to subscribe to are objects, channels to leave are names. */
function channelNames(value: Json): string[] {
  return listOf(value)
    .map((one) => (isObject(one) ? one.name : one))
    .filter((name) => typeof name === 'string')
}

/** People named by address are unknown to the ledger, and servers differ in whether an empty list means the caller. */
function* subscriptions(values: ReadonlyMap<string, Json>, caller: number, channel: string, isSubscribed: boolean) {
  const named = values.get('principals')
  if (!Array.isArray(named)) yield subscription(caller, channel, isSubscribed)
  else if (named.length === 0) yield subscription(caller, channel, unknown)
  else for (const one of named) if (Number.isInteger(one)) yield subscription(one, channel, isSubscribed)
}

function isStream(type: unknown): boolean {
  return type === 'stream' || type === 'channel'
}

/** Whether servers keep the text unchanged: no control characters, no space at its ends, not too long. */
function isPlain(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length <= 2000 &&
    text.trim() === text &&
    text !== '' &&
    !/[[\p{C}\p{Z}]--[ \n]]/v.test(text)
  )
}

/** Whether it is stored unchanged as a topic: not too long, and not a name of the empty topic. */
function isTopic(text: unknown): text is string {
  return isPlain(text) && text.length <= 60 && text !== '(no topic)'
}

function isName(text: unknown): text is string {
  return isPlain(text) && text.length <= 60 && text.normalize() === text && !text.includes('  ')
}
