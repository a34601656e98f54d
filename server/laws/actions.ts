import fc from 'fast-check'
import type { Answer, ApiClient, TestServer } from '../testing.ts'
import { NAMES } from './spellings.ts'
import type { Tally } from './tally.ts'

/** Accounts of the demo organization, one of every role and a bot. */
export const PEOPLE = ['owner', 'admin', 'moderator', 'member', 'member2', 'guest', 'bot'] as const
export type Person = (typeof PEOPLE)[number]

/** What somebody does. Channels are numbered as the run made them, so that an action can be replayed in a new run. */
export type Action = SendToChannel | SendDirect | Subscribe | CreateChannel | CreateUser

interface Sending {
  readonly actor: Person
  readonly content: string
  readonly readBySender: boolean | undefined
}
export interface SendToChannel extends Sending {
  readonly kind: 'send to channel'
  readonly channel: number
  readonly byName: boolean
  readonly topic: string
}
export interface SendDirect extends Sending {
  readonly kind: 'send direct message' | 'send group message'
  readonly others: readonly Person[]
  readonly byEmail: boolean
}
export interface Subscribe {
  readonly kind: 'subscribe oneself' | 'subscribe others'
  readonly actor: Person
  readonly channels: readonly number[]
  readonly others: readonly Person[]
  readonly byEmail: boolean
}
export interface CreateChannel {
  readonly kind: 'create channel'
  readonly actor: Person
  /** Index of NAMES. */
  readonly name: number
  readonly isPrivate: boolean
  /** Undefined: as the server has it for this kind of channel. */
  readonly sharesHistory: boolean | undefined
  readonly others: readonly Person[]
  readonly byEmail: boolean
}
export interface CreateUser {
  readonly kind: 'create user'
  readonly actor: Person
}

const person = fc.constantFrom(...PEOPLE)
const channel = fc.nat({ max: 5 })
const CONTENTS = [
  'Hello.',
  '**bold** and `code`',
  '@**Max Member** and @**Gus Guest**, look',
  '@_**Max Member** is not disturbed',
  '@**all** come',
  '@**topic** what now?',
  '`@**all**` is code',
  '/me waves',
]
/** Topics whose comparison any client gets right by lowering letters. */
const PLAIN_TOPICS = ['lunch', 'Lunch', 'LUNCH', 'plans', '', 'general chat', 'Müller']
const sending = {
  actor: person,
  content: fc.constantFrom(...CONTENTS),
  readBySender: fc.constantFrom(true, false, undefined),
}
const others = (least: number, most: number) => fc.uniqueArray(person, { minLength: least, maxLength: most })

const sendToChannel = (topics: readonly string[]): fc.Arbitrary<SendToChannel> =>
  fc.record({
    kind: fc.constant('send to channel' as const),
    channel,
    byName: fc.boolean(),
    topic: fc.constantFrom(...topics),
    ...sending,
  })
const sendDirect: fc.Arbitrary<SendDirect> = fc.oneof(
  fc.record({
    kind: fc.constant('send direct message' as const),
    others: others(1, 1),
    byEmail: fc.boolean(),
    ...sending,
  }),
  fc.record({
    kind: fc.constant('send group message' as const),
    others: others(2, 4),
    byEmail: fc.boolean(),
    ...sending,
  }),
)
const subscribe: fc.Arbitrary<Subscribe> = fc
  .record({
    actor: person,
    channels: fc.uniqueArray(channel, { minLength: 1, maxLength: 2 }),
    others: others(0, 3),
    byEmail: fc.boolean(),
  })
  .map((action) => ({ kind: action.others.length === 0 ? 'subscribe oneself' : 'subscribe others', ...action }))
export const createChannel: fc.Arbitrary<CreateChannel> = fc
  .record({
    name: fc.nat({ max: NAMES.length - 1 }),
    actor: person,
    isPrivate: fc.boolean(),
    sharesHistory: fc.constantFrom(true, false, undefined),
    others: others(0, 3),
    byEmail: fc.boolean(),
  })
  // A public channel shares its history; anything else is refused.
  .map(({ sharesHistory: wanted, ...action }) => {
    const sharesHistory = !action.isPrivate && wanted === false ? undefined : wanted
    return { kind: 'create channel', ...action, sharesHistory }
  })
const createUser: fc.Arbitrary<CreateUser> = fc.record({
  kind: fc.constant('create user' as const),
  actor: fc.constantFrom('owner', 'owner', 'admin', 'member'),
})

/** Any action, those that most depends on more often. */
export function anyAction(topics: readonly string[] = PLAIN_TOPICS): fc.Arbitrary<Action> {
  return fc.oneof(
    { weight: 10, arbitrary: sendToChannel(topics) },
    { weight: 5, arbitrary: sendDirect },
    { weight: 5, arbitrary: subscribe },
    { weight: 2, arbitrary: createChannel },
    { weight: 1, arbitrary: createUser },
  )
}

export interface MadeChannel {
  readonly id: number
  readonly name: string
  /** Other ways to write the same name. */
  readonly spellings: readonly string[]
}

/** A description that gives its channel away wherever it turns up. */
export function markOfChannel(name: string): string {
  return `channel-mark-${name.match(/\d+$/)?.[0]}-`
}

/** One run of a law on a server that other runs use too: only the channels that it makes itself are its own. */
export class Run {
  readonly channels: MadeChannel[] = []
  readonly #server: TestServer
  readonly #tally: Tally
  /** Sees every channel come into being: the owner's queue. */
  readonly #watcher: { readonly queueId: string; lastEventId: number }
  #learning: Promise<void> = Promise.resolve()
  readonly #spellings = new Map<string, readonly string[]>()

  private constructor(server: TestServer, tally: Tally, watcher: { queueId: string; lastEventId: number }) {
    this.#server = server
    this.#tally = tally
    this.#watcher = watcher
  }

  static async begin(server: TestServer, tally: Tally): Promise<Run> {
    const { queue_id: queueId, last_event_id: lastEventId } = await server
      .as('owner')
      .must('POST', '/register', { event_types: ['stream'], fetch_event_types: [] })
    return new Run(server, tally, { queueId, lastEventId })
  }

  async end(): Promise<void> {
    await this.as('owner').must('DELETE', '/events', { queue_id: this.#watcher.queueId })
  }

  as(one: Person): ApiClient {
    return this.#server.as(one)
  }

  /** The channel that a number of an action means; undefined in a run that has none. */
  channel(number: number): MadeChannel | undefined {
    return this.channels[number % this.channels.length]
  }

  /** Does it, and counts whether it was accepted. @throws when the answer is no success and no refusal (a 5xx) */
  async perform(action: Action): Promise<Answer> {
    const answer = await this.#request(action)
    if (answer.status >= 500) throw new Error(`${JSON.stringify(action)} answered ${JSON.stringify(answer.body)}`)
    const isDone = answer.status === 200
    this.#tally.tried(action.kind, isDone)
    return answer
  }

  #request(action: Action): Promise<Answer> {
    const actor = this.as(action.actor)
    switch (action.kind) {
      case 'send to channel': {
        const to = this.channel(action.channel)
        return actor.post('/messages', {
          type: 'channel',
          to: action.byName ? (to?.name ?? 'no such channel') : (to?.id ?? 0),
          topic: action.topic,
          content: action.content,
          read_by_sender: action.readBySender,
        })
      }
      case 'send direct message':
      case 'send group message':
        return actor.post('/messages', {
          type: 'direct',
          to: this.#named(action),
          content: action.content,
          read_by_sender: action.readBySender,
        })
      case 'subscribe oneself':
      case 'subscribe others':
        return actor.post('/users/me/subscriptions', {
          subscriptions: action.channels.map((number) => ({ name: this.channel(number)?.name ?? 'no such channel' })),
          ...(action.others.length > 0 && { principals: this.#named(action) }),
        })
      case 'create channel':
        return this.#createChannel(action)
      case 'create user': {
        const name = this.#server.unique('Newcomer')
        const email = `${name.toLowerCase().replaceAll(' ', '-')}@parley.example`
        return actor.post('/users', { email, password: 'correct horse', full_name: name })
      }
      default:
        return action satisfies never
    }
  }

  async #createChannel(action: CreateChannel): Promise<Answer> {
    const [first = '', ...others] = NAMES[action.name] ?? []
    const name = this.#server.unique(first)
    const suffix = name.slice(first.length)
    this.#spellings.set(
      name,
      others.map((other) => other + suffix),
    )
    const answer = await this.as(action.actor).post('/users/me/subscriptions', {
      subscriptions: [{ name, description: markOfChannel(name) }],
      principals: this.#named({ ...action, others: [action.actor, ...action.others] }),
      invite_only: action.isPrivate,
      history_public_to_subscribers: action.sharesHistory,
    })
    // One at a time: what one poll acknowledges, the next must not ask for again.
    if (answer.status === 200) {
      this.#learning = this.#learning.then(() => this.#learnChannels())
      await this.#learning
    }
    return answer
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
      for (const { stream_id: id, name } of event.streams) {
        this.channels.push({ id, name, spellings: this.#spellings.get(name) ?? [] })
      }
    }
  }

  #named({ others: keys, byEmail }: { others: readonly Person[]; byEmail: boolean }): (number | string)[] {
    return [...new Set(keys)].map((key) => (byEmail ? this.as(key).email : this.as(key).userId))
  }
}
