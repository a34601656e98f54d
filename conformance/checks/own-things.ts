import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../deployment/account.ts'
import { type Event, EventQueue } from '../deployment/event-queue.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Shows } from '../kernel/effect.ts'
import { eventOf, heardOf } from '../kernel/listening.ts'
import type { Exchange } from '../wire/http.ts'
import { type Json, listOf } from '../wire/values.ts'
import { by, succeeds } from './outcomes.ts'

/** Things that people have for themselves, such as drafts: nobody else sees them or hears of them. */
export interface OwnKind {
  /** Such as `saved_snippet`, in events; also the beginning of `saved_snippet_id`, in requests and events. */
  readonly one: string
  /** Such as `saved_snippets`: the list in answers, and the type of events. */
  readonly all: string
  /** The field of things in lists that has their ID. */
  readonly id: string
}

/** What a queue for things of this kind registers. */
export function typesOf({ all }: OwnKind) {
  return { event_types: [all], fetch_event_types: [all] }
}

export function rowIn({ body }: Exchange, { all, id }: OwnKind, wanted: Json): Json {
  return listOf(body[all]).find((row) => row[id] === wanted)
}

/** The person's list, and the thing with this ID in it. */
export async function listedTo(person: Account, kind: OwnKind, id: Json) {
  const exchange = await list(person, kind)
  return { exchange, row: rowIn(exchange, kind, id) }
}

function list(person: Account, { all }: OwnKind): Promise<Exchange> {
  return person.must(`get-${all.replaceAll('_', '-')}`)
}

export function remove(person: Account, { one }: OwnKind, id: Json): Promise<Exchange> {
  return person.call(`delete-${one.replaceAll('_', '-')}`, { [`${one}_id`]: id })
}

/** Things as the next event with `op`, the list and a registration show them; empty, after a finding, if none comes. */
export async function shownTo(
  shows: Shows,
  owner: Account,
  queue: EventQueue,
  kind: OwnKind,
  op: 'add' | 'update',
  ids: readonly Json[],
): Promise<(readonly [Exchange, readonly Json[]])[]> {
  const told = await heardOf(shows, queue, { type: kind.all, op }, `an event of the type ${kind.all}, ${op}`)
  if (told === undefined) return []
  const [listed, registered] = [await list(owner, kind), await owner.must('register-queue', typesOf(kind))]
  return [
    [told.exchange, ids.map((id) => toldOf(told.event, kind, id))],
    ...[listed, registered].map((one) => [one, ids.map((id) => rowIn(one, kind, id))] as const),
  ]
}

/** The owner deletes the thing, and is told of that alone. */
export async function goes(t: CheckContext, shows: Shows, owner: Account, queue: EventQueue, kind: OwnKind, id: Json) {
  const { all, one } = kind
  succeeds(shows, await remove(owner, kind, id), 'it is the caller’s')
  const told = await heardOf(shows, queue, { type: all, op: 'remove' }, `an event of the removal of ${id}`)
  if (told === undefined) return
  shows(told.exchange, told.event[`${one}_id`] === id, `\`${one}_id\` is ${id}`)
  // Other servers may send an event for an update without changes.
  shows(told.exchange, !t.isParley || told.events.length === 1, `no other ${all} event before the removal of ${id}`)
  const { exchange, row } = await listedTo(owner, kind, id)
  shows(exchange, row === undefined, `no ${id} in \`${all}\``)
}

/**
 * Somebody else does not see a thing.
 *
 * @param make makes one and returns its ID
 * @param isRefused does with somebody else's thing what must be refused
 */
export async function isNotTheirs(
  t: CheckContext,
  kind: OwnKind,
  make: (owner: Account) => Promise<Json>,
  isRefused: (other: Account, id: Json) => Promise<void>,
): Promise<void> {
  const shows = by(t, 'CONTRACT-EFFECT')
  const { user, other } = await t.scene()
  const queue = await EventQueue.open(user, typesOf(kind))
  const id = await make(user)
  const { row: before } = await listedTo(user, kind, id)
  await isRefused(other, id)
  const { exchange, row } = await listedTo(user, kind, id)
  shows(exchange, isDeepStrictEqual(row, before), `still ${JSON.stringify(before)}`)
  const seen = await listedTo(other, kind, id)
  shows(seen.exchange, seen.row === undefined, `nothing that belongs to user ${user.userId}`)
  await eventOf(shows, queue, { type: kind.all, op: 'add' })
  await goes(t, shows, user, queue, kind, id)
}

function toldOf(event: Event, { all, one, id }: OwnKind, wanted: Json): Json {
  return [...listOf(event[all]), event[one]].find((row) => row?.[id] === wanted)
}
