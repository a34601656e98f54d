import { type Account, SetUpError, type Values } from '../deployment/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { Exchange } from '../wire/http.ts'

export interface OwnChannel extends Channel {
  readonly isPrivate: boolean
}

/** A channel to create. */
export interface NewChannel {
  readonly who: number
  /** The beginning of its name. */
  readonly name: string
  readonly others: readonly number[]
  readonly isPrivate: boolean
  readonly byEmail?: boolean
  /** Undefined means the server's default for this kind of channel. */
  readonly sharesHistory?: boolean | undefined
  /** A group setting that lets people read without a subscription, and the people in it. */
  readonly openedBy?: 'can_subscribe_group' | 'can_add_subscribers_group' | undefined
  readonly openTo?: readonly number[]
  /** Whether the setting also names an account of this world, which may be deactivated. */
  readonly openToNewcomer?: boolean
}

export interface OwnMessage {
  readonly id: number
  readonly author: Account
  /** As sent. */
  readonly content: string
  /** Its current channel; undefined for direct messages. */
  channel: OwnChannel | undefined
}

/**
 * The people, channels and messages of one run of a law. Nothing else is compared, because other checks run meanwhile.
 */
export class World {
  readonly people: readonly Account[]
  readonly channels: OwnChannel[] = []
  /** In the order in which their requests were answered. */
  readonly messages: OwnMessage[] = []
  /** Message ids. */
  readonly deleted = new Set<number>()
  /** Created in this run. */
  readonly newcomers: Account[] = []
  /** Part of every message; empty in worlds that have a server to themselves. */
  readonly mark: string
  readonly #deployment: Deployment
  readonly #kept = new Map<string, unknown[]>()
  readonly #ends: (() => Promise<unknown> | undefined)[] = []

  /** @param isMarked whether every message contains a text that occurs nowhere else */
  constructor(deployment: Deployment, people: readonly Account[], isMarked = true) {
    this.#deployment = deployment
    this.people = people
    this.mark = isMarked ? deployment.unique('mark').replaceAll(' ', '-') : ''
  }

  /** Creates a public channel with the first three of `people`, and a private one with the first two. */
  static async begin(deployment: Deployment, people: readonly Account[]): Promise<World> {
    const world = new World(deployment, people)
    await world.mustMakeChannel([0, 1, 2], false)
    await world.mustMakeChannel([1, 0], true)
    return world
  }

  /** Creates a private channel with the first two of `people`. */
  static async beginInPrivate(deployment: Deployment, people: readonly Account[]): Promise<World> {
    const world = new World(deployment, people)
    await world.mustMakeChannel([0, 1], true)
    return world
  }

  get level(): number {
    return this.#deployment.level
  }

  /** Text that occurs nowhere else on this server. */
  unique(prefix: string): string {
    return this.#deployment.unique(prefix)
  }

  person(number: number): Account {
    const person = this.people[number % this.people.length]
    if (person === undefined) throw new Error('a world has people')
    return person
  }

  /**
   * The person who tries administrators' actions; without a number, somebody who may do them. Undefined if nobody may.
   */
  manager(number?: number): Account | undefined {
    return number === undefined ? this.#deployment.atLeast('administrator') : this.person(number)
  }

  /** The person acted on; without a number, the newest one created. */
  managed(number: number | undefined): Promise<Account | undefined> {
    return number === undefined ? this.newcomer() : Promise.resolve(this.person(number))
  }

  /** How an action names people: by id or by address. */
  named(numbers: readonly number[], byEmail = false): (number | string)[] {
    const people = new Set(numbers.map((number) => this.person(number)))
    return [...people].map(({ email, userId }) => (byEmail ? email : userId))
  }

  channel(number: number): OwnChannel {
    const channel = this.channels[number % this.channels.length]
    if (channel === undefined) throw new Error('a world begins with channels')
    return channel
  }

  /** A message that still exists; undefined if there is none. */
  message(number: number): OwnMessage | undefined {
    const left = this.messages.filter(({ id }) => !this.deleted.has(id))
    return left[number % left.length]
  }

  userIds(): Set<number> {
    return new Set([...this.people, ...this.newcomers].map(({ userId }) => userId))
  }

  /** Things that actions on a noun have created, for later actions. */
  kept<One>(noun: string): One[] {
    const kept = this.#kept.get(noun) ?? []
    this.#kept.set(noun, kept)
    return kept as One[]
  }

  /**
   * Records what a successful request has created of a noun. @param remove removes it at the end, because it would
   * otherwise stay with people who existed before, or take room from others
   */
  keep<One>(
    noun: string,
    answer: Exchange | undefined,
    made: One,
    remove?: () => Promise<unknown> | undefined,
  ): Exchange | undefined {
    if (answer?.status !== 200) return answer
    this.kept<One>(noun).push(made)
    if (remove) this.atEnd(remove)
    return answer
  }

  /** Creates a channel and records it. */
  async makeChannel(action: NewChannel): Promise<Exchange> {
    const { who, others, isPrivate, name, byEmail, sharesHistory, openedBy, openTo = [] } = action
    const newcomers = action.openToNewcomer ? this.newcomers.slice(-1).map(({ userId }) => userId) : []
    const { made, channel } = await this.#deployment.tryChannel(this.person(who), name, {
      principals: this.named([who, ...others], byEmail),
      invite_only: isPrivate || undefined,
      // A public channel shares its history; anything else is refused.
      history_public_to_subscribers: isPrivate ? sharesHistory : undefined,
      ...(openedBy && { [openedBy]: { direct_members: [...this.named(openTo), ...newcomers], direct_subgroups: [] } }),
    })
    if (channel) this.channels.push({ ...channel, isPrivate })
    return made
  }

  /** Records a change of a channel. */
  noteChange(
    channel: OwnChannel,
    { name, isPrivate }: { name?: string | undefined; isPrivate?: boolean | undefined },
  ): void {
    // Anybody who once lacked access has missed something.
    Object.assign(channel, { isPrivate: channel.isPrivate || isPrivate === true })
    if (name !== undefined) Object.assign(channel, { name })
  }

  async mustMakeChannel([who = 0, ...others]: readonly number[], isPrivate: boolean): Promise<void> {
    const made = await this.makeChannel({ who, others, isPrivate, name: 'conformance' })
    if (made.status !== 200) throw new SetUpError('subscribe', made)
  }

  /** The newest person created in this run, or one created now; undefined if none can be created. */
  async newcomer(): Promise<Account | undefined> {
    if (this.newcomers.length === 0) await this.makeUser()
    return this.newcomers.at(-1)
  }

  /** Does nothing if no user can be created. */
  async makeUser(): Promise<void> {
    const made = await this.#deployment.newUser()
    if (made) this.newcomers.push(made)
  }

  /** Replaces `@{0}` and the like by names, and adds the world's mark; an empty text stays empty. */
  text(content: string): string {
    if (content === '') return ''
    const named = content.replaceAll(
      /@\{(\d)\}/g,
      (_, number: string) => `@**${this.person(Number(number)).fullName}**`,
    )
    return this.mark === '' ? named : `${named} ${this.mark}`
  }

  /** Sends a message and records it. */
  async send(author: Account, values: Values & { readonly content: string }): Promise<Exchange> {
    const sent = await author.call('send-message', values)
    const { to, content } = values
    const channel = this.channels.find(({ id, name }) => id === to || name === to)
    if (sent.status === 200) this.messages.push({ id: Number(sent.body.id), author, content, channel })
    return sent
  }

  /** Removes, at the end, state that would stay with people who existed before. */
  atEnd(work: () => Promise<unknown> | undefined): void {
    this.#ends.push(work)
  }

  async end(): Promise<void> {
    for (const work of this.#ends.splice(0)) await work()
  }
}

/** One of the things that actions on `noun` have created; creates one if there is none. Undefined if nobody may. */
export async function oneOf<One>(world: World, noun: string, number: number, make: () => Promise<unknown>) {
  const all = world.kept<One>(noun)
  if (all.length === 0) await make()
  return all[number % all.length]
}

/** Something in a world that belongs to somebody. */
export interface Owned {
  readonly id: number
  readonly owner: Account
}

/**
 * The oldest thing that actions on `noun` created for `who`, or else for anybody; creates one if there is none at all.
 */
export async function oldestOf(
  world: World,
  noun: string,
  who: number,
  make: () => Promise<unknown>,
): Promise<Owned | undefined> {
  const all = world.kept<Owned>(noun)
  if (all.length === 0) await make()
  return all.find(({ owner }) => owner === world.person(who)) ?? all[0]
}
