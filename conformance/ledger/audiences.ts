import type { Exchange } from '../wire/http.ts'
import { isObject, type Json } from '../wire/values.ts'

/** Somebody got something to which they can never have had access. */
export interface Leak {
  readonly exchange: Exchange
  readonly userId: number
  readonly what: string
}

interface Sent {
  /** For a direct message: the people of its conversation. */
  readonly people: ReadonlySet<number> | undefined
  /** For a channel message: id or lower-case name. */
  readonly channel: number | string | undefined
}

interface Sighting {
  readonly exchange: Exchange
  readonly userId: number
  readonly messageId: number
}

const mostSightings = 20_000

/**
 * Who got what. Only people who never had access are reported: those outside the conversation, or never subscribed to
 * the private channel by anybody.
 */
export class Audiences {
  readonly #sent = new Map<number, Sent>()
  /** Private channels that the run has created, by lower-case name, with everybody who was ever subscribed. */
  readonly #private = new Map<string, Set<number>>()
  /** Channels to which there are other ways of access. */
  readonly #open = new Set<string>()
  readonly #names = new Map<number, string>()
  readonly #sightings: Sighting[] = []
  /** How many times a message was shown to somebody. */
  held = 0
  readonly #ids = new Map<number, Set<number>>()

  /** @param to people's ids for a direct message; the channel's id or name for a channel message */
  noteMessage(id: number, sender: number, isStream: boolean, to: Json): void {
    const people = Array.isArray(to) && to.every(Number.isInteger) ? new Set([sender, ...to]) : undefined
    const channel = Array.isArray(to) && to.length === 1 ? to[0] : to
    if (!isStream) this.#sent.set(id, { people, channel: undefined })
    else
      this.#sent.set(id, { people: undefined, channel: typeof channel === 'string' ? channel.toLowerCase() : channel })
  }

  /** Called for new channels and new subscriptions. */
  noteSubscription(
    name: string,
    userIds: readonly number[],
    { isPrivate, isOpen }: { isPrivate: boolean; isOpen: boolean },
  ): void {
    const key = name.trim().toLowerCase()
    const known = this.#private.get(key)
    if (known === undefined && !isPrivate) this.#open.add(key)
    if (isOpen) this.#open.add(key)
    const inside = known ?? new Set<number>()
    this.#private.set(key, inside)
    for (const id of userIds) inside.add(id)
  }

  /** Access to this channel can no longer be tracked. */
  noteOpen(name: string): void {
    this.#open.add(name)
  }

  noteName(channelId: number, name: string): void {
    this.#names.set(channelId, name.toLowerCase())
  }

  /** The lower-case name of a channel that is known by id or name. */
  nameOf(channel: string): string | undefined {
    return /^\d+$/.test(channel) ? this.#names.get(Number(channel)) : channel
  }

  sees(userId: number, messageId: number, exchange: Exchange): void {
    const known = this.#ids.get(messageId) ?? new Set()
    if (known.has(userId) || this.#sightings.length >= mostSightings) return
    this.#ids.set(messageId, known)
    known.add(userId)
    this.held += 1
    if (this.#mayHaveSeen(userId, messageId) !== true) this.#sightings.push({ userId, messageId, exchange })
  }

  leaks(): Leak[] {
    return this.#sightings
      .filter(({ userId, messageId }) => this.#mayHaveSeen(userId, messageId) === false)
      .map(({ userId, messageId, exchange }) => ({ exchange, userId, what: `message ${messageId}` }))
  }

  /** Undefined if nothing is known about the message. */
  #mayHaveSeen(userId: number, messageId: number): boolean | undefined {
    const sent = this.#sent.get(messageId)
    if (sent === undefined) return undefined
    const { people, channel } = sent
    if (people !== undefined) return people.has(userId)
    const name = typeof channel === 'number' ? this.#names.get(channel) : channel
    if (name === undefined || this.#open.has(name)) return true
    return this.#private.get(name)?.has(userId) ?? true
  }
}

/** Ids of the messages that an answer or event shows. */
export function messagesIn(value: Json): number[] {
  if (!isObject(value)) return []
  const { type, message, messages, message_id: one, message_ids: many } = value
  const shown = Array.isArray(messages) ? messages.map((each) => (isObject(each) ? each.id : each)) : []
  const ofEvent = type === undefined ? [] : [one, ...(Array.isArray(many) ? many : [])]
  return [message?.id, ...shown, ...ofEvent].filter(Number.isInteger)
}
