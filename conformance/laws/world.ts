import type { Account, Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Exchange } from '../wire/http.ts'
import { listOf } from '../wire/values.ts'

export interface OwnChannel {
  readonly id: number
  readonly name: string
  readonly isPrivate: boolean
}

export interface OwnMessage {
  readonly id: number
  readonly author: Account
}

/** The people, channels and messages of one run of a law. Nobody else's are looked at: other checks go on meanwhile. */
export class World {
  readonly people: readonly Account[]
  /** Undefined where nobody may administer. */
  readonly admin: Account | undefined
  readonly channels: OwnChannel[] = []
  readonly messages: OwnMessage[] = []
  /** Kept in this run, and not deleted since. */
  readonly drafts: { readonly id: number; readonly writer: Account }[] = []
  /** Made in this run. */
  readonly newcomers: Account[] = []
  readonly #deleted = new Set<number>()
  readonly #t: CheckContext

  /** Part of every message. */
  readonly mark: string

  private constructor(t: CheckContext, people: readonly Account[]) {
    this.#t = t
    this.people = people
    this.admin = t.deployment.atLeast('administrator')
    this.mark = t.unique('mark').replaceAll(' ', '-')
  }

  /** A public channel of all `people`, and one that is private to the first two. */
  static async begin(t: CheckContext, people: readonly Account[]): Promise<World> {
    const world = new World(t, people)
    await world.makeChannel(0, [1, 2], false)
    await world.makeChannel(1, [0], true)
    return world
  }

  /** A channel that is private to `people`. */
  static async beginInPrivate(t: CheckContext, people: readonly Account[]): Promise<World> {
    const world = new World(t, people)
    await world.makeChannel(0, [1], true)
    return world
  }

  get level(): number {
    return this.#t.level
  }

  person(number: number): Account {
    const person = this.people[number % this.people.length]
    if (person === undefined) throw new Error('a world has people')
    return person
  }

  channel(number: number): OwnChannel {
    const channel = this.channels[number % this.channels.length]
    if (channel === undefined) throw new Error('a world begins with channels')
    return channel
  }

  /** One that is still there; undefined where there is none. */
  message(number: number): OwnMessage | undefined {
    const left = this.messages.filter(({ id }) => !this.#deleted.has(id))
    return left[number % left.length]
  }

  async delete({ id, author }: OwnMessage): Promise<Exchange> {
    const answer = await author.call('delete-message', { message_id: id })
    if (answer.status === 200) this.#deleted.add(id)
    return answer
  }

  userIds(): Set<number> {
    return new Set([...this.people, ...this.newcomers].map(({ userId }) => userId))
  }

  async makeChannel(creator: number, others: readonly number[], isPrivate: boolean): Promise<void> {
    const [maker, ...rest] = [...new Set([creator, ...others].map((number) => this.person(number)))]
    if (maker === undefined) return
    this.channels.push({ ...(await this.#t.channel(maker, rest, isPrivate)), isPrivate })
  }

  /** The newest of the people made in this run, or one made now; undefined where none can be made. */
  async newcomer(): Promise<Account | undefined> {
    if (this.newcomers.length === 0) await this.makeUser()
    return this.newcomers.at(-1)
  }

  /** Takes note of the drafts that are kept. */
  async keepDraft(writer: Account, draft: Values): Promise<Exchange> {
    const kept = await writer.call('create-drafts', { drafts: [draft] })
    for (const id of listOf(kept.body?.ids)) this.drafts.push({ id: Number(id), writer })
    return kept
  }

  /** Does something to the oldest draft that this run has of somebody, where there is one. @param isLast whether it is gone then */
  async toDraft(
    writer: Account,
    perform: (id: number) => Promise<Exchange>,
    isLast: boolean,
  ): Promise<Exchange | undefined> {
    const index = this.drafts.findIndex((draft) => draft.writer === writer)
    const draft = this.drafts[index]
    if (draft === undefined) return undefined
    if (isLast) this.drafts.splice(index, 1)
    return perform(draft.id)
  }

  /** Removes what would stay behind with given people. */
  async end(): Promise<void> {
    for (const { id: draft_id, writer } of this.drafts.splice(0)) await writer.call('delete-draft', { draft_id })
  }

  /** Does nothing where no user can be made. */
  async makeUser(): Promise<void> {
    const made = await this.#t.deployment.newUser()
    if (made) this.newcomers.push(made)
  }

  /** Takes note of a message that was sent. */
  async send(author: Account, values: Values): Promise<Exchange> {
    const sent = await author.call('send-message', values)
    if (sent.status === 200) this.messages.push({ id: Number(sent.body.id), author })
    return sent
  }
}
