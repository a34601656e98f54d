import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, type Json, objectsIn } from '../wire/values.ts'
import { type List, lists, memberOf, type Thing, things } from './things.ts'

/** A statement of an answer: a thing has this value, or a list has exactly these members. */
export type Reading =
  | { readonly thing: Thing; readonly value: unknown }
  | { readonly list: List; readonly has: (member: string) => boolean }

interface Answer {
  readonly values: ReadonlyMap<string, Json>
  readonly caller: number
  readonly body: Json
}

type Reader = (answer: Answer) => Iterable<Reading>

const readers: Readonly<Record<string, Reader>> = {
  'get-message': ({ caller, body, values }) => message(body.message, caller, values),
  'get-messages': ({ caller, body, values }) => each(body.messages, (one) => message(one, caller, values)),
  'get-users': ({ body }) => each(body.members, user),
  'get-user': ({ body }) => user(body.user),
  'get-own-user': ({ body }) => user(body),
  'get-user-status': ({ values, body }) => status(values.get('user_id'), body.status),
  'get-alert-words': ({ caller, body }) => alertWords(body.alert_words, caller),
  'get-subscriptions': ({ caller, body }) => subscriptions(body.subscriptions, caller),
  *'register-queue'({ caller, body }) {
    yield* alertWords(body.alert_words, caller)
    if (Array.isArray(body.subscriptions)) yield* subscriptions(body.subscriptions, caller)
    if (isObject(body.user_settings)) {
      for (const [name, value] of Object.entries(body.user_settings))
        yield { thing: things.setting(caller, name), value }
    }
    if (Array.isArray(body.muted_users)) {
      const ids = new Set(objectsIn(body.muted_users).map(({ id }) => String(id)))
      yield { list: lists.mutedUsers(caller), has: (id) => ids.has(id) }
    }
    yield* each(body.realm_users, user)
    yield* each(body.realm_non_active_users, user)
    if (isObject(body.user_status)) {
      for (const [id, one] of Object.entries(body.user_status)) yield* status(Number(id), one ?? {})
    }
  },
}

/** The readings of all objects in a list. */
function each(list: Json, readings: (one: Json) => Iterable<Reading>): Iterable<Reading> {
  return objectsIn(list).flatMap((one) => [...readings(one)])
}

/** Everything in a successful answer that a request may have written. */
export function readingsOf(
  operation: Operation,
  values: ReadonlyMap<string, Json>,
  caller: number,
  { body }: Exchange,
): Iterable<Reading> {
  return readers[operation.id]?.({ values, caller, body }) ?? []
}

/** A message object; its flags are the caller's. */
function* message(one: Json, caller: number, values: ReadonlyMap<string, Json>): Iterable<Reading> {
  if (!isObject(one) || !Number.isInteger(one.id)) return
  const { id } = one
  yield { thing: things.sender(id), value: one.sender_id }
  yield { thing: things.fullName(one.sender_id), value: one.sender_full_name }
  for (const each of objectsIn(one.display_recipient)) yield { thing: things.fullName(each.id), value: each.full_name }
  yield { thing: things.existence(id), value: true }
  if (one.content_type === 'text/x-markdown') yield { thing: things.content(id), value: one.content }
  // The empty topic may be written with any of its names.
  const isEmptyTopic = one.subject === '' && values.get('allow_empty_topic_name') === true
  if (one.type === 'stream' && !isEmptyTopic) yield { thing: things.topic(id), value: one.subject }
  if (Array.isArray(one.reactions)) {
    const votes = new Set(objectsIn(one.reactions).map((vote) => `${vote.user_id ?? vote.user?.id} ${vote.emoji_name}`))
    yield { list: lists.reactions(id), has: (vote) => votes.has(vote) }
  }
  if (Array.isArray(one.flags)) yield { thing: memberOf(lists.stars(caller), id), value: one.flags.includes('starred') }
}

function* user(one: Json): Iterable<Reading> {
  if (!isObject(one) || !Number.isInteger(one.user_id)) return
  const { user_id: id } = one
  yield { thing: things.fullName(id), value: one.full_name }
  yield { thing: things.role(id), value: one.role }
  if (typeof one.is_active === 'boolean') yield { thing: things.isActive(id), value: one.is_active }
}

function* status(id: number, one: Json): Iterable<Reading> {
  if (!isObject(one)) return
  yield { thing: things.statusText(id), value: one.status_text ?? '' }
  yield { thing: things.statusEmoji(id), value: one.emoji_name ?? '' }
}

function* alertWords(value: Json, caller: number): Iterable<Reading> {
  if (!Array.isArray(value)) return
  const words = new Set(value.map((word) => String(word).toLowerCase()))
  yield { list: lists.alertWords(caller), has: (word) => words.has(word) }
}

function* subscriptions(value: Json, caller: number): Iterable<Reading> {
  const all = objectsIn(value)
  const names = new Set(all.map(({ name }) => String(name).toLowerCase()))
  yield { list: lists.subscriptions(caller), has: (name) => names.has(name) }
  for (const one of all) {
    for (const [name, field] of Object.entries(one)) {
      yield { thing: things.ownField(caller, one.stream_id, name), value: field }
    }
  }
}
