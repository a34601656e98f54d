import { FETCHED_TYPES } from '../../client/state/apply-events.ts'
import type { Account, Values } from '../deployment/account.ts'
import { type Event, EventQueue } from '../deployment/event-queue.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { heardSoFar } from '../kernel/listening.ts'
import { newPerson } from '../kernel/people-of-roles.ts'
import { perform } from '../laws/actions.ts'
import { maybeRefused, stages, tellingKinds } from '../laws/tour.ts'
import { followerOf, stateDifferences } from '../laws/view.ts'
import { World } from '../laws/world.ts'
import type { Agreement } from '../views/agreement.ts'
import { viewsOf } from '../views/all.ts'
import { listOf } from '../wire/values.ts'
import { by } from './outcomes.ts'

export const checks: readonly Check[] = [
  {
    area: 'Events',
    id: 'tour/all',
    title: 'every kind of action takes effect, is undone, and is announced to people of every role and capability',
    requirements: ['CONTRACT-STATE', 'CONTRACT-TOLD', 'CONTRACT-VIEWS'],
    also: ['CONTRACT-SUCCESS', 'CONTRACT-FAILURE'],
    isCostly: true,
    isFirst: true, // servers with many users send no presence events
    async run(t) {
      const members = [await t.user(), await t.user(), await t.user()]
      const guest = await newPerson(t, 'guest')
      const people = guest === undefined ? members : [...members, guest]
      const world = await World.begin(t.deployment, people)
      const admin = await newPerson(t, 'administrator')
      const listeners = await Promise.all(
        [people[0], people[2], guest, admin].flatMap((person, index) =>
          person === undefined ? [] : [Listener.of(t, world, person, clients[index % clients.length] ?? {})],
        ),
      )
      const took = new Set<string>()
      for (const actions of stages) {
        for (const action of actions) {
          // Without a guest nobody replaces the guest, and certainly not the actor.
          const others = 'others' in action && listOf(action.others).filter((one: number) => one < people.length)
          if (await takesEffect(t, world, { ...action, ...(others && { others }) })) took.add(action.kind)
        }
        for (const listener of listeners) if (!(await listener.isUpToDate())) return
        // A look takes some hundred requests. With rate limits there is only one, at the end.
        if (t.deployment.isLimited && actions !== stages.at(-1)) continue
        const looks = await Promise.all(listeners.map((listener) => listener.seesTheSame()))
        if (looks.includes(false)) return
      }
      listeners[0]?.heardOf(took)
      for (const listener of listeners) await listener.close()
    },
  },
]

const all = {
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  user_avatar_url_field_optional: true,
  archived_channels: true,
  empty_topic_name: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
}

/** One client for each listener: modern, old, and two with capabilities in between. */
const clients: readonly Values[] = [
  { apply_markdown: true, client_gravatar: true, client_capabilities: all },
  { apply_markdown: false, client_gravatar: false, client_capabilities: {} },
  { apply_markdown: false, client_capabilities: { ...all, bulk_message_deletion: false } },
  {
    apply_markdown: true,
    all_public_streams: true,
    client_capabilities: { ...all, stream_typing_notifications: false },
  },
]

/** More would not help. */
const mostDisagreements = 20

/** @returns whether the action succeeded */
async function takesEffect(t: CheckContext, world: World, action: (typeof stages)[number][number]): Promise<boolean> {
  const exchange = await perform(world, action)
  if (exchange === undefined) return false
  t.that('CONTRACT-FAILURE', exchange, exchange.status < 500, 'an HTTP status below 500')
  const isDone = exchange.body?.result === 'success'
  if (isDone || maybeRefused.has(action.kind)) return isDone
  const says = `success of a request that the contract allows: ${JSON.stringify(action)}`
  t.that('CONTRACT-SUCCESS', exchange, false, says)
  return false
}

/** A person whose event queue lasts for the whole tour. */
class Listener {
  readonly #t: CheckContext
  readonly #world: World
  readonly #person: Account
  readonly #values: Values
  readonly #queue: EventQueue
  readonly #events: Event[] = []
  readonly #everFollowed = new Set<number>()

  private constructor(t: CheckContext, world: World, person: Account, values: Values, queue: EventQueue) {
    this.#t = t
    this.#world = world
    this.#person = person
    this.#values = values
    this.#queue = queue
    this.#noteFollowed(queue)
  }

  static async of(t: CheckContext, world: World, person: Account, client: Values): Promise<Listener> {
    const values = followerOf(client)
    return new Listener(t, world, person, values, await EventQueue.open(person, values))
  }

  /** Reads up to a message that is sent now, and compares the state with that of a new client. */
  async isUpToDate(): Promise<boolean> {
    const sender = this.#world.people.find((one) => one !== this.#person) ?? this.#person
    const [heard] = (await heardSoFar(by(this.#t, 'CONTRACT-TOLD'), [this.#queue], sender, this.#person)) ?? []
    if (heard === undefined) return false
    this.#events.push(...heard.events)
    for (let tries = 0; ; tries += 1) {
      const present = await EventQueue.open(this.#person, this.#values)
      const lines = stateDifferences(this.#world, this.#queue, this.#events, present)
      await present.close()
      const says = `the state that user ${this.#person.userId} knows from events; but ${lines.join('; ')}`
      if (lines.length === 0 || tries === 1)
        return this.#t.that('CONTRACT-STATE', present.registered, lines.length === 0, says)
      // Events may be late.
      const more = await this.#queue.peek(Number(this.#events.at(-1)?.id))
      this.#events.push(...(more.body.events as Event[]))
    }
  }

  /** Checks that answers agree wherever they show the same thing. Nothing else may happen meanwhile. */
  async seesTheSame(): Promise<boolean> {
    let agreement = await this.#look()
    // Work after an answer may be late.
    if (agreement.disagreements.length > 0) agreement = await this.#look()
    for (const { exchange, expected } of agreement.disagreements.slice(0, mostDisagreements)) {
      this.#t.that('CONTRACT-VIEWS', exchange, false, expected)
    }
    const isSame = agreement.disagreements.length === 0
    if (isSame && agreement.held > 0) this.#t.that('CONTRACT-VIEWS', this.#queue.registered, true, '')
    return isSame
  }

  async #look(): Promise<Agreement> {
    const types = [...FETCHED_TYPES, 'realm']
    const present = await EventQueue.open(this.#person, { ...this.#values, fetch_event_types: types })
    await present.close()
    this.#noteFollowed(present)
    return viewsOf({
      t: this.#t,
      world: this.#world,
      person: this.#person,
      client: this.#values,
      events: this.#events,
      registered: present.registered,
      everFollowed: this.#everFollowed,
    })
  }

  #noteFollowed({ registered: { body } }: EventQueue): void {
    for (const { stream_id: id } of body.subscriptions ?? []) this.#everFollowed.add(id)
  }

  /** Checks that all kinds of actions that took effect caused events. */
  heardOf(took: ReadonlySet<string>): void {
    const heard = new Set(this.#events.flatMap(({ type, op }) => [type, `${type} ${op}`]))
    const missing = [...took].flatMap((kind) => tellingKinds.get(kind) ?? []).filter((name) => !heard.has(name))
    const says = `events of the types ${missing.join(', ')} for user ${this.#person.userId}`
    this.#t.that('CONTRACT-TOLD', this.#queue.registered, missing.length === 0, says)
  }

  async close(): Promise<void> {
    await this.#queue.close()
  }
}
