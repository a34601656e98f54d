import { type Account, SetUpError, type Values } from '../deployment/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { Exchange } from '../wire/http.ts'

export interface OwnChannel extends Channel {
  readonly isPrivate: boolean
  /** Other ways to write the same name. */
  readonly spellings: readonly string[]
}

/** Channel as somebody makes it. */
export interface NewChannel {
  readonly who: number
  /** What its name begins with, and other ways to write that. */
  readonly name: readonly string[]
  readonly others: readonly number[]
  readonly isPrivate: boolean
  readonly byEmail?: boolean
  /** Undefined: as the server has it for this kind of channel. */
  readonly sharesHistory?: boolean | undefined
  /** A group setting that lets people read without being subscribed, and whom it names. */
  readonly openedBy?: 'can_subscribe_group' | 'can_add_subscribers_group' | undefined
  readonly openTo?: readonly number[]
  /** Whether it names an account that the world made, too: one that may be deactivated. */
  readonly openToNewcomer?: boolean
}

export interface OwnMessage {
  readonly id: number
  readonly author: Account
  /** As it was sent. */
  readonly content: string
  /** Where it is; undefined of direct messages. */
  channel: OwnChannel | undefined
}

/** The people, channels and messages of one run of a law. Nobody else's are looked at: other checks go on meanwhile. */
export class World {
  readonly people: readonly Account[]
  readonly channels: OwnChannel[] = []
  /** In the order in which they were answered. */
  readonly messages: OwnMessage[] = []
  /** Ids of messages. */
  readonly deleted = new Set<number>()
  /** Made in this run. */
  readonly newcomers: Account[] = []
  /** In every message; empty in worlds that have the server to themselves. */
  readonly mark: string
  readonly #deployment: Deployment
  readonly #kept = new Map<string, unknown[]>()
  readonly #ends: (() => Promise<unknown>)[] = []

  /** @param isMarked whether something stands in every message and nowhere else */
  constructor(deployment: Deployment, people: readonly Account[], isMarked = true) {
    this.#deployment = deployment
    this.people = people
    this.mark = isMarked ? deployment.unique('mark').replaceAll(' ', '-') : ''
  }

  /** A public channel of the first three of `people`, and one that is private to the first two. */
  static async begin(deployment: Deployment, people: readonly Account[], isMarked = true): Promise<World> {
    const world = new World(deployment, people, isMarked)
    await world.mustMakeChannel([0, 1, 2], false)
    await world.mustMakeChannel([1, 0], true)
    return world
  }

  /** A channel that is private to the first two of `people`. */
  static async beginInPrivate(deployment: Deployment, people: readonly Account[]): Promise<World> {
    const world = new World(deployment, people)
    await world.mustMakeChannel([0, 1], true)
    return world
  }

  get level(): number {
    return this.#deployment.level
  }

  /** Text that nothing else at this server has. */
  unique(prefix: string): string {
    return this.#deployment.unique(prefix)
  }

  person(number: number): Account {
    const person = this.people[number % this.people.length]
    if (person === undefined) throw new Error('a world has people')
    return person
  }

  /** Who tries what is for administrators: without a number whoever may, undefined where nobody may. */
  manager(number: number | undefined): Account | undefined {
    return number === undefined ? this.#deployment.atLeast('administrator') : this.person(number)
  }

  /** Who is managed: without a number the newest of those who were made. */
  managed(number: number | undefined): Promise<Account | undefined> {
    return number === undefined ? this.newcomer() : Promise.resolve(this.person(number))
  }

  /** How an action names people: by their ids, or by their addresses. */
  named(numbers: readonly number[], byEmail = false): (number | string)[] {
    const people = new Set(numbers.map((number) => this.person(number)))
    return [...people].map(({ email, userId }) => (byEmail ? email : userId))
  }

  channel(number: number): OwnChannel {
    const channel = this.channels[number % this.channels.length]
    if (channel === undefined) throw new Error('a world begins with channels')
    return channel
  }

  /** One that is still there; undefined where there is none. */
  message(number: number): OwnMessage | undefined {
    const left = this.messages.filter(({ id }) => !this.deleted.has(id))
    return left[number % left.length]
  }

  userIds(): Set<number> {
    return new Set([...this.people, ...this.newcomers].map(({ userId }) => userId))
  }

  /** What actions of one noun have made, for those that come after them. */
  kept<One>(noun: string): One[] {
    const kept = this.#kept.get(noun) ?? []
    this.#kept.set(noun, kept)
    return kept as One[]
  }

  /** Takes note of a channel that was made. */
  async makeChannel(action: NewChannel): Promise<Exchange> {
    const { who, others, isPrivate, name: spellings, byEmail, sharesHistory, openedBy, openTo = [] } = action
    const [prefix = '', ...otherPrefixes] = spellings
    const newcomers = action.openToNewcomer ? this.newcomers.slice(-1).map(({ userId }) => userId) : []
    const { made, channel } = await this.#deployment.tryChannel(this.person(who), prefix, {
      principals: this.named([who, ...others], byEmail),
      invite_only: isPrivate || undefined,
      // A public channel shares its history; anything else is refused.
      history_public_to_subscribers: isPrivate ? sharesHistory : undefined,
      ...(openedBy && { [openedBy]: { direct_members: [...this.named(openTo), ...newcomers], direct_subgroups: [] } }),
    })
    if (channel) {
      const rest = channel.name.slice(prefix.length)
      this.channels.push({ ...channel, isPrivate, spellings: otherPrefixes.map((other) => other + rest) })
    }
    return made
  }

  /** Takes note of what has become of a channel. */
  noteChange(
    channel: OwnChannel,
    { name, isPrivate }: { name?: string | undefined; isPrivate?: boolean | undefined },
  ): void {
    // Whoever was once kept out of it has missed something.
    Object.assign(channel, { isPrivate: channel.isPrivate || isPrivate === true })
    if (name !== undefined) Object.assign(channel, { name, spellings: [] })
  }

  async mustMakeChannel([who = 0, ...others]: readonly number[], isPrivate: boolean): Promise<void> {
    const made = await this.makeChannel({ who, others, isPrivate, name: ['conformance'] })
    if (made.status !== 200) throw new SetUpError('subscribe', made)
  }

  /** The newest of the people made in this run, or one made now; undefined where none can be made. */
  async newcomer(): Promise<Account | undefined> {
    if (this.newcomers.length === 0) await this.makeUser()
    return this.newcomers.at(-1)
  }

  /** Does nothing where no user can be made. */
  async makeUser(): Promise<void> {
    const made = await this.#deployment.newUser()
    if (made) this.newcomers.push(made)
  }

  /** With names where `@{0}` and the like stand, and the mark of the world; nothing stays nothing. */
  text(content: string): string {
    if (content === '') return ''
    const named = content.replaceAll(
      /@\{(\d)\}/g,
      (_, number: string) => `@**${this.person(Number(number)).fullName}**`,
    )
    return this.mark === '' ? named : `${named} ${this.mark}`
  }

  /** Takes note of a message that was sent. */
  async send(author: Account, values: Values & { readonly content: string }): Promise<Exchange> {
    const sent = await author.call('send-message', values)
    const { to, content } = values
    const channel = this.channels.find(({ id, name }) => id === to || name === to)
    if (sent.status === 200) this.messages.push({ id: Number(sent.body.id), author, content, channel })
    return sent
  }

  /** For what would stay with people who were there before. */
  atEnd(work: () => Promise<unknown>): void {
    this.#ends.push(work)
  }

  async end(): Promise<void> {
    for (const work of this.#ends.splice(0)) await work()
  }
}
