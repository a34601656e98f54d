import type fc from 'fast-check'
import type { Answer, ApiClient, TestServer } from '../../server/testing.ts'
import type { Person } from './people.ts'
import type { Tally } from './tally.ts'

/** What somebody does: data only, so that it can be shown and replayed. Numbers are taken modulo what the run has made. */
export interface Action {
  readonly kind: string
  readonly actor: Person
}

/** Actions that are made and done alike. */
export interface ActionKind<One extends Action = Action> {
  /** The kinds of actions that `any` makes. */
  readonly kinds: readonly One['kind'][]
  /** How often, beside the others. */
  readonly weight: number
  readonly any: fc.Arbitrary<One>
  request(run: Run, action: One): Promise<Answer>
}

export interface MadeChannel {
  readonly id: number
  readonly name: string
  /** Other ways to write the same name. */
  readonly spellings: readonly string[]
  readonly isPrivate: boolean
}

export interface MadeGroup {
  readonly id: number
  readonly members: Set<Person>
  readonly subgroupIds: Set<number>
}

/** One run of a law on a server that other runs use too: only what it makes itself is its own. */
export class Run {
  readonly channels: MadeChannel[] = []
  /** Ids of the messages that were sent, in the order in which they were answered. */
  readonly messages: number[] = []
  /** Who sent which of them, and which of them have a poll. */
  readonly authors = new Map<number, Person>()
  readonly polls: number[] = []
  /** Messages that were deleted, with the channels where they were. */
  readonly deleted = new Map<number, MadeChannel | undefined>()
  /** User groups that were made, with what was accepted of them since. */
  readonly groups: MadeGroup[] = []
  /** Ids of the drafts that were kept, of whomever. */
  readonly drafts: number[] = []
  /** Ids of the accounts that were made. */
  readonly users: number[] = []
  readonly server: TestServer
  readonly #tally: Tally
  readonly #kinds: ReadonlyMap<string, ActionKind>
  /** Sees every channel come into being: the owner's queue. */
  readonly #watcher: { readonly queueId: string; lastEventId: number }
  #learning: Promise<void> = Promise.resolve()
  readonly #spellings = new Map<string, readonly string[]>()

  private constructor(
    server: TestServer,
    tally: Tally,
    kinds: readonly ActionKind[],
    watcher: { queueId: string; lastEventId: number },
  ) {
    this.server = server
    this.#tally = tally
    this.#kinds = new Map(kinds.flatMap((one) => one.kinds.map((kind) => [kind, one])))
    this.#watcher = watcher
  }

  static async begin(server: TestServer, tally: Tally, kinds: readonly ActionKind[]): Promise<Run> {
    const { queue_id: queueId, last_event_id: lastEventId } = await server
      .as('owner')
      .must('POST', '/register', { event_types: ['stream'], fetch_event_types: [] })
    return new Run(server, tally, kinds, { queueId, lastEventId })
  }

  async end(): Promise<void> {
    await this.as('owner').must('DELETE', '/events', { queue_id: this.#watcher.queueId })
  }

  as(one: Person): ApiClient {
    return this.server.as(one)
  }

  /** The channel that a number of an action means; undefined in a run that has none. */
  channel(number: number): MadeChannel | undefined {
    return this.channels[number % this.channels.length]
  }

  /** The message that a number of an action means; an id that no message has in a run that sent none. */
  message(number: number): number {
    return this.messages[number % this.messages.length] ?? 2_000_000_000
  }

  /** How an action names people: by their ids, or by their addresses. */
  named(people: readonly Person[], byEmail: boolean): (number | string)[] {
    return [...new Set(people)].map((one) => (byEmail ? this.as(one).email : this.as(one).userId))
  }

  /** Does it, and counts whether it was accepted. @throws when the answer is no success and no refusal (a 5xx) */
  async perform(action: Action): Promise<Answer> {
    const kind = this.#kinds.get(action.kind)
    if (!kind) throw new Error(`no kind of action makes '${action.kind}'`)
    const answer = await kind.request(this, action)
    if (answer.status >= 500) throw new Error(`${JSON.stringify(action)} answered ${JSON.stringify(answer.body)}`)
    this.#tally.tried(action.kind, answer.status === 200)
    return answer
  }

  /** To be told before a channel is made: other ways to write its name. */
  expectChannel(name: string, spellings: readonly string[]): void {
    this.#spellings.set(name, spellings)
  }

  /** To be told afterwards: its id comes with the event. One at a time: what one poll acknowledges, the next must not ask for again. */
  async madeChannel(): Promise<void> {
    this.#learning = this.#learning.then(() => this.#learnChannels())
    await this.#learning
  }

  async #learnChannels(): Promise<void> {
    const { queueId, lastEventId } = this.#watcher
    const { events } = await this.as('owner').must('GET', '/events', {
      queue_id: queueId,
      last_event_id: lastEventId,
      dont_block: true,
    })
    for (const event of events) {
      this.#watcher.lastEventId = event.id
      if (event.op !== 'create') continue
      for (const { stream_id: id, name, invite_only: isPrivate } of event.streams) {
        const spellings = this.#spellings.get(name)
        if (spellings) this.channels.push({ id, name, spellings, isPrivate })
      }
    }
  }
}
