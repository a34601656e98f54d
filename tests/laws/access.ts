import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Values } from '../../conformance/deployment/account.ts'
import { EventQueue } from '../../conformance/deployment/event-queue.ts'
import { anyOf, perform } from '../../conformance/laws/actions.ts'
import type { World } from '../../conformance/laws/world.ts'
import type { Exchange } from '../../conformance/wire/http.ts'
import type { TestServer } from '../../server/testing.ts'
import { ADMIN, GUEST, OURS, OWNER, PEOPLE, type Person, worldAt } from './ground.ts'
import { type AccessAction, Model, type ModelChannel } from './model.ts'
import { anyNarrow, matching, type Narrow, wireNarrow } from './narrows.ts'
import { TOPICS } from './spellings.ts'
import type { Tally } from './tally.ts'

/** No message and no channel has it. */
const NO_ID = 2_000_000_000
const NEWEST = 10 ** 16
/** More than a run sends. */
const ALL = 2000

export interface AccessOptions {
  readonly seed: number
  readonly runs: number
  /** Narrows asked for in each run, by random people. */
  readonly narrowsARun: number
  readonly actionsARun: number
  /** When shrinking a failure ends; a run without a failure that takes longer fails, too. */
  readonly limitMs: number
}

// The model knows the messages that people send.
const GROUND = { ...OURS, topic: fc.constantFrom(...TOPICS.flat()), isTold: fc.constant(false) }
const KINDS = ['send', 'send direct', 'subscribe', 'unsubscribe', 'create channel', 'archive channel', 'create user']
const FIRST = { kind: 'create channel', who: OWNER, name: ['First'], others: [ADMIN], isPrivate: false } as const

/** A question to GET /messages. */
interface Question {
  readonly viewer: Person
  readonly narrow: Narrow
  /** A number means that message of the run, counted from its first. */
  readonly anchor: 'newest' | 'oldest' | 'first_unread' | number
  readonly before: number
  readonly after: number
  readonly includeAnchor: boolean
}

const anyQuestion: fc.Arbitrary<Question> = fc
  .record({
    viewer: fc.constantFrom(...PEOPLE),
    narrow: anyNarrow,
    anchor: fc.oneof(
      fc.constantFrom('newest' as const, 'oldest' as const, 'first_unread' as const),
      fc.nat({ max: 40 }),
    ),
    before: fc.constantFrom(0, 1, 3, ALL),
    after: fc.constantFrom(0, 1, 3, ALL),
    includeAnchor: fc.boolean(),
  })
  // Excluding the anchor in the middle of a range is refused.
  .map((question) => ({
    ...question,
    includeAnchor: question.includeAnchor || (question.before > 0 && question.after > 0),
  }))

/**
 * Nobody finds anything of what they may not see, and everybody finds all of the rest: messages one by one, by narrow,
 * and as events. Held against a model that follows the actions and asks the server nothing. The server's organization
 * may be used by many runs; what was there before them is ignored.
 */
export async function checkAccess(server: TestServer, tally: Tally, options: AccessOptions): Promise<void> {
  const model = new Model()
  const anyRun = fc.record({
    setup: fc.array(anyOf(['create channel'], GROUND), { minLength: 2, maxLength: 3 }),
    actions: fc.array(anyOf(KINDS, GROUND), {
      minLength: options.actionsARun / 2,
      maxLength: options.actionsARun,
    }),
    questions: fc.array(anyQuestion, { minLength: options.narrowsARun, maxLength: options.narrowsARun }),
    everywhere: fc.subarray<Person>(PEOPLE.filter((person) => person !== GUEST)),
  })
  await fc.assert(
    fc.asyncProperty(anyRun, async ({ setup, actions, questions, everywhere }) => {
      const check = new AccessCheck(model, await worldAt(server), tally)
      const queues = await Promise.all(PEOPLE.map((person) => check.register(person, everywhere.includes(person))))
      for (const action of [FIRST, ...setup, ...actions]) await check.perform(action as AccessAction)
      for (const person of PEOPLE) {
        await check.events(person, queues[person] ?? assert.fail(), everywhere.includes(person))
        await check.lists(person)
        await check.messages(person)
        await check.channels(person)
      }
      for (const question of questions) await check.question(question)
      await check.world.end()
    }),
    {
      seed: options.seed,
      numRuns: options.runs,
      interruptAfterTimeLimit: options.limitMs,
      markInterruptAsFailure: true,
    },
  )
}

/** What one run looks at. */
class AccessCheck {
  readonly world: World
  readonly #model: Model
  readonly #tally: Tally
  /** Where this run's part of the model begins. */
  readonly #firstMessage: number

  constructor(model: Model, world: World, tally: Tally) {
    this.world = world
    this.#model = model
    this.#tally = tally
    this.#firstMessage = model.messages.length
  }

  get #sent() {
    return this.#model.messages.slice(this.#firstMessage)
  }

  async perform(action: AccessAction): Promise<void> {
    const mark = `${this.world.unique('message-mark')}-`
    const marked = 'content' in action ? { ...action, content: `${action.content}\n\n${mark}` } : action
    const isAllowed = this.#model.isAllowed(this.world, action)
    const answer = await perform(this.world, marked)
    assert(!answer || answer.status < 500, `${JSON.stringify(action)} answered ${answer?.text}`)
    if (answer) this.#tally.tried(action.kind, answer.status === 200)
    if (isAllowed !== undefined) assert.equal(answer?.status === 200, isAllowed, JSON.stringify(action))
    if (answer?.status === 200) this.#model.apply(this.world, action, answer, mark)
  }

  register(person: Person, allPublicChannels: boolean): Promise<EventQueue> {
    const values = { all_public_streams: allPublicChannels, fetch_event_types: [] }
    return EventQueue.open(this.world.person(person), values)
  }

  /** Message events: exactly those received, and with all_public_streams those of public channels. Others: nothing unknown. */
  async events(person: Person, queue: EventQueue, isEverywhere: boolean): Promise<void> {
    const { text, body } = await queue.peek(queue.registered.body.last_event_id)
    const ids = body.events.flatMap((event: { message?: { id: number } }) => event.message?.id ?? [])
    const expected = this.#sent.filter(
      ({ receivers, channel }) => receivers.has(person) || (isEverywhere && channel && !channel.isPrivate),
    )
    assert.deepEqual(
      ids,
      expected.map((message) => message.id),
      `message events of ${person}`,
    )
    for (const event of body.events) {
      const named = [...(event.streams ?? []), ...(event.subscriptions ?? [])].map((one) => one.stream_id)
      for (const id of [...named, ...(event.stream_ids ?? [])]) this.#checkKnown(person, id, JSON.stringify(event))
    }
    this.#checkMarks(person, text, true)
    await queue.close()
  }

  /** Whatever lists there are: no mark of what is hidden in any of them, and all channels that are known. */
  async lists(person: Person): Promise<void> {
    const all = { include_subscribers: 'true' }
    const queue = await EventQueue.open(this.world.person(person), all)
    const { registered } = queue
    const others = [
      await this.#ask(person, 'get-streams', { include_all: person === OWNER || person === ADMIN || undefined }),
      await this.#ask(person, 'get-subscriptions', all),
      await this.#ask(person, 'get-messages', { anchor: 'newest', num_before: ALL, num_after: 0 }),
    ]
    for (const { status, text } of [registered, ...others]) {
      assert.equal(status, 200, text)
      this.#checkMarks(person, text)
    }
    const listed = new Set(registered.body.streams.map((channel: { stream_id: number }) => channel.stream_id))
    for (const channel of this.#model.channels) {
      const isListed = this.#model.mayKnow(person, channel) && !channel.isArchived
      assert.equal(listed.has(channel.id), isListed, `${person} knows ${channel.name}`)
    }
    await queue.close()
  }

  /** GET /messages/{id} of every message: found, or answered as if there were none, to the byte (MSG-GET-8, MSG-GET-9). */
  async messages(person: Person): Promise<void> {
    const none = await this.#ask(person, 'get-message', { message_id: NO_ID })
    assert.equal(none.status, 400)
    for (const message of this.#sent) {
      const { status, text, body } = await this.#ask(person, 'get-message', { message_id: message.id })
      const isFound = this.#model.mayRead(person, message)
      this.#tally.saw(isFound ? 'readable message' : 'hidden message')
      if (!isFound) {
        assert.deepEqual([status, text], [none.status, none.text], `${person} asks for ${message.mark}`)
        continue
      }
      assert(status === 200 && text.includes(message.mark), `${person} reads ${message.mark}: ${text}`)
      const { flags } = body.message
      assert.equal(flags.includes('historical'), !message.receivers.has(person), `${person} has ${message.mark}`)
      assert.equal(flags.includes('read'), !this.#model.isUnread(person, message), `${person} has ${message.mark}`)
    }
    const ids = this.#sent.map((message) => message.id)
    const { body } = await this.#ask(person, 'get-messages', { message_ids: [...ids, NO_ID] })
    const received = this.#sent.filter((message) => this.#model.finds(person, message)).map((message) => message.id)
    assert.deepEqual(idsOf(body), received, `${person} asks for a list of messages`)
  }

  /**
   * A channel that one may not enter is one that does not exist: to narrow to, for guests to join, and to send to unless
   * one may know of it.
   */
  async channels(person: Person): Promise<void> {
    const own = this.world.channels.map((_, index) => this.#model.channelOf(this.world, index))
    for (const channel of own) {
      if (this.#model.mayEnter(person, channel)) continue
      this.#tally.saw('hidden channel')
      const sending = (to: string | number) => ({ type: 'channel', to, topic: 'x', content: 'x' })
      const isKnown = this.#model.mayKnow(person, channel)
      const answersLikeNothing = !isKnown && !this.#model.maySend(person, channel)
      if (isKnown && !this.#model.maySend(person, channel)) {
        const { text } = await this.#ask(person, 'send-message', sending(channel.id))
        assert(
          text.includes(`"Not authorized to send to channel '${escaped(channel)}'"`),
          `${person} may not send: ${text}`,
        )
      }
      const at = (operator: string, operand: string | number) => ({
        ...{ anchor: 'newest', num_before: 1, num_after: 1, narrow: [{ operator, operand }] },
      })
      const named = (name: string | number): [string, Values][] => [
        ...(answersLikeNothing ? [['send-message', sending(name)] as [string, Values]] : []),
        ...['channel', 'stream'].map((operator): [string, Values] => ['get-messages', at(operator, name)]),
      ]
      const requests = (id: number, name: string) => [...named(id), ...named(name), ...joining(person, name)]
      const nowhere = 'no such channel'
      const missing = requests(NO_ID, nowhere)
      for (const [index, [operation, values]] of requests(channel.id, channel.name).entries()) {
        const there = await this.#ask(person, operation, values)
        const absent = await this.#ask(person, operation, missing[index]?.[1])
        assert.notEqual(there.status, 200, there.text)
        const echoed: string = absent.text
          .replaceAll(String(NO_ID), String(channel.id))
          .replaceAll(nowhere, escaped(channel))
        assert.deepEqual([there.status, there.text], [absent.status, echoed], `${person}: ${operation}`)
      }
    }
  }

  /** A range in a narrow: the messages that the model finds there, and what is said about its ends. */
  async question({ viewer, narrow, before, after, includeAnchor, ...question }: Question): Promise<void> {
    const found = matching(this.#model, this.world, viewer, narrow)
    const isInChannel =
      narrow.terms.some((term) => !term.negated && 'channel' in term) &&
      !narrow.terms.some((term) => term.operator === 'with')
    // What the demo organization had before is unread, and old: where it could be found, other anchors are asked for.
    const reached = question.anchor === 'oldest' || question.anchor === 'first_unread' ? isInChannel : true
    const anchor = reached ? question.anchor : 'newest'
    const wire = typeof anchor === 'number' ? (this.#sent[anchor % (this.#sent.length || 1)]?.id ?? NEWEST) : anchor
    const { status, body, text } = await this.#ask(viewer, 'get-messages', {
      narrow: wireNarrow(narrow, this.world),
      anchor: wire,
      num_before: before,
      num_after: after,
      include_anchor: includeAnchor,
    })
    const context = `${viewer}: ${JSON.stringify({ narrow, anchor, before, after, includeAnchor })}`
    if (!found) {
      assert.deepEqual([status, body.code], [400, 'BAD_NARROW'], `${context} answered ${text}`)
      return
    }
    assert.equal(status, 200, `${context} answered ${text}`)
    this.#tally.saw(found.length > 0 ? 'narrow with messages' : 'narrow without messages')
    const ids = found.map((message) => message.id)
    const unread = found.find((message) => this.#model.isUnread(viewer, message))?.id ?? NEWEST
    const at = { newest: NEWEST, oldest: 0, first_unread: unread }[anchor as string] ?? Number(wire)
    const older = ids.filter((id) => id < at)
    const newer = ids.filter((id) => id > at)
    const nearest = before === 0 ? [] : older.slice(-before)
    const expected = [...nearest, ...(includeAnchor && ids.includes(at) ? [at] : []), ...newer.slice(0, after)]
    const firstOfAll = this.#model.messages[0]?.id ?? 0
    const answered = idsOf(body).filter((id) => id >= firstOfAll)
    assert.deepEqual(answered, expected)
    assert.equal(body.anchor, at)
    assert.equal(body.found_anchor, includeAnchor && ids.includes(at))
    assert.equal(body.found_newest, at === NEWEST || newer.length < after)
    if (isInChannel) assert.equal(body.found_oldest, at === 0 || older.length < before)
  }

  /** @param asEvents whether `text` was told when it happened: what somebody may no longer see, they might see then */
  #checkMarks(person: Person, text: string, asEvents = false): void {
    for (const [mark] of text.matchAll(/message-mark [0-9a-f]+ \d+-/g)) {
      const message = this.#model.messages.find((one) => one.mark === mark)
      const wasTold = asEvents && message?.receivers.has(person)
      if (message && !wasTold) assert(this.#model.mayRead(person, message), `${person} saw ${mark}`)
    }
    for (const [mark] of text.matchAll(/ [0-9a-f]{8} \d+/g)) {
      const channel = this.#model.channels.find((one) => one.name.endsWith(mark))
      const wasKnown = asEvents && channel?.onceKnownTo.has(person)
      if (channel && !wasKnown) assert(this.#model.mayKnow(person, channel), `${person} saw ${mark}`)
    }
  }

  #checkKnown(person: Person, channelId: number, where: string): void {
    const channel = this.#model.channels.find((one) => one.id === channelId)
    if (channel) assert(channel.onceKnownTo.has(person), `${person} heard of ${channel.name}: ${where}`)
  }

  #ask(person: Person, operationId: string, values?: Values): Promise<Exchange> {
    return this.world.person(person).call(operationId, values)
  }
}

function joining(person: Person, name: string): [string, Values][] {
  // For other names: one that nobody has makes a channel.
  return person === GUEST ? [['subscribe', { subscriptions: [{ name }] }]] : []
}

function idsOf(body: { messages: readonly { id: number }[] }): number[] {
  return body.messages.map((message) => message.id)
}

/** A channel's name as it stands inside a JSON string. */
function escaped({ name }: ModelChannel): string {
  return JSON.stringify(name).slice(1, -1)
}
