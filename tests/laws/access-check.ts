import assert from 'node:assert/strict'
import type { Values } from '../../conformance/deployment/account.ts'
import { EventQueue } from '../../conformance/deployment/event-queue.ts'
import { perform } from '../../conformance/laws/actions.ts'
import type { World } from '../../conformance/laws/world.ts'
import type { Exchange } from '../../conformance/wire/http.ts'
import { ADMIN, BOT, GUEST, OWNER, PEOPLE, type Person } from './ground.ts'
import type { AccessAction, Done, Model } from './model.ts'
import type { ModelChannel } from './model-channel.ts'
import { isSameConversation, type ModelMessage, markOf, topicName } from './model-message.ts'
import { matching, type Narrow, wireNarrow } from './narrows.ts'
import type { Tally } from './tally.ts'

/** No message and no channel has it. */
const NO_ID = 2_000_000_000
const NEWEST = 10 ** 16
/** More than a run sends. */
export const ALL = 2000

/** A request to GET /messages. */
export interface Question {
  readonly viewer: Person
  readonly narrow: Narrow
  /** A number is the index of a message of this run. */
  readonly anchor: 'newest' | 'oldest' | 'first_unread' | number
  readonly before: number
  readonly after: number
  readonly includeAnchor: boolean
}

/** What one run compares. */
export class AccessCheck {
  readonly world: World
  readonly #model: Model
  readonly #tally: Tally
  /** The index of this run's first message in the model. */
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

  /** Whoever gets the notice of a resolved topic has read it: other rules are not in the model. */
  async settle(): Promise<void> {
    // The bot is always like this, because it follows no topics.
    for (const person of PEOPLE.filter((one) => one !== BOT)) {
      const { status, text } = await this.#ask(person, 'update-settings', {
        resolved_topic_notice_auto_read_policy: 'always',
      })
      assert.equal(status, 200, text)
    }
  }

  async perform(action: AccessAction): Promise<void> {
    const mark = `${this.world.unique('message-mark')}-`
    const marked = 'content' in action ? { ...action, content: `${action.content}\n\n${mark}` } : action
    const isAllowed = this.#model.isAllowed(this.world, action)
    const target = this.#model.target(this.world, action)
    const sights = this.#readersOf(target)
    // Notices of moves are messages that the model would not know.
    const quiet = action.kind === 'move' ? { ...action, isTold: false } : marked
    const answer = await perform(this.world, quiet)
    assert(!answer || answer.status < 500, `${JSON.stringify(action)} answered ${answer?.text}`)
    const isDone = answer?.status === 200
    if (answer) this.#tally.tried(action.kind, isDone)
    if (isAllowed !== undefined) assert.equal(isDone, isAllowed, JSON.stringify(action))
    if (isDone) await this.#note(action, target, { id: Number(answer.body.id), mark })
    if (!target) return
    for (const person of PEOPLE) await this.#message(person, target)
    if (!isDone) return
    for (const person of PEOPLE) await this.#listed(person)
    if (action.kind !== 'move') return
    const now = this.#readersOf(target)
    if (sights.difference(now).size > 0) this.#tally.saw('sight lost by a move')
    if (now.difference(sights).size > 0) this.#tally.saw('sight won by a move')
  }

  async #note(action: AccessAction, target: ModelMessage | undefined, done: Done): Promise<void> {
    if (!target) return this.#model.apply(this.world, action, done)
    const isNoticed = this.#model.isNoticed(target, action)
    this.#model.applyTo(this.world, target, action, done)
    if (isNoticed) this.#model.noticed(target, await this.#noticeIn(target))
  }

  /** The newest message where the target is now, as seen by somebody who receives what is sent there. */
  async #noticeIn({ channel, topic }: ModelMessage): Promise<number> {
    const person = PEOPLE.find((one) => channel?.subscribers.has(one)) ?? OWNER
    const narrow = [
      { operator: 'channel', operand: channel?.id },
      { operator: 'topic', operand: topic },
    ]
    const newest = { anchor: 'newest', num_before: 1, num_after: 0 }
    const { body, text } = await this.#ask(person, 'get-messages', { narrow, ...newest })
    const [notice] = body.messages
    assert.match(notice?.sender_full_name ?? '', /^Notification Bot$/, text)
    return notice.id
  }

  #readersOf(message: ModelMessage | undefined): Set<Person> {
    return new Set(message ? PEOPLE.filter((person) => this.#model.mayRead(person, message)) : [])
  }

  register(person: Person, allPublicChannels: boolean): Promise<EventQueue> {
    const values = { all_public_streams: allPublicChannels, fetch_event_types: [] }
    return EventQueue.open(this.world.person(person), values)
  }

  /**
   * Message events: exactly the received messages, and with all_public_streams those of public channels. Others:
   * nothing unknown.
   */
  async events(person: Person, queue: EventQueue, isEverywhere: boolean): Promise<void> {
    const { text, body } = await queue.peek(queue.registered.body.last_event_id)
    const ids = body.events.flatMap((event: { message?: { id: number } }) => event.message?.id ?? [])
    const expected = this.#sent.filter(
      ({ receivers, origin }) => receivers.has(person) || (isEverywhere && origin && !origin.isPrivate),
    )
    assert.deepEqual(
      ids,
      expected.map((message) => message.id),
      `message events of ${person}`,
    )
    for (const event of body.events) {
      const named = [...(event.streams ?? []), ...(event.subscriptions ?? [])].map((one) => one.stream_id)
      const places = [event.stream_id ?? [], event.new_stream_id ?? []].flat()
      for (const id of [...named, ...places, ...(event.stream_ids ?? [])])
        this.#checkKnown(person, id, JSON.stringify(event))
    }
    this.#checkMarks(person, text, true)
    await queue.close()
  }

  /** All lists: none contains a mark of hidden messages, and all contain the known channels. */
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
    this.#checkUnread(person, registered.body.unread_msgs)
    const listed = new Set(registered.body.streams.map((channel: { stream_id: number }) => channel.stream_id))
    for (const channel of this.#model.channels) {
      const isListed = this.#model.mayKnow(person, channel) && !channel.isArchived
      assert.equal(listed.has(channel.id), isListed, `${person} knows ${channel.name}`)
    }
    await queue.close()
  }

  /** Every message by its id, and the received ones by a list of all ids. */
  async messages(person: Person): Promise<void> {
    for (const message of this.#sent) await this.#message(person, message)
    await this.#listed(person)
  }

  /** GET /messages/{id} and its history: found, or exactly the answer for a missing message (MSG-GET-8, MSG-GET-9). */
  async #message(person: Person, message: ModelMessage): Promise<void> {
    for (const operation of ['get-message', 'get-message-history']) {
      const { status, text, body } = await this.#ask(person, operation, { message_id: message.id })
      const isFound = this.#model.mayRead(person, message)
      const context = `${person} asks for ${message.id} ${markOf(message)}`
      if (!isFound) {
        const none = await this.#ask(person, operation, { message_id: NO_ID })
        assert.deepEqual([status, text], [none.status, none.text], context)
        assert.equal(status, 400)
        this.#tally.saw('hidden message')
        continue
      }
      this.#tally.saw('readable message')
      assert(status === 200 && text.includes(markOf(message)), `${context}: ${text}`)
      this.#checkMarks(person, text)
      if (operation === 'get-message') this.#checkMessage(person, message, body.message)
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  #checkMessage(person: Person, message: ModelMessage, seen: any): void {
    const context = `${person} has ${message.id} ${markOf(message)}: ${JSON.stringify(seen)}`
    assert.equal(seen.flags.includes('historical'), !message.receivers.has(person), context)
    assert.equal(seen.flags.includes('read'), !this.#model.isUnread(person, message), context)
    assert.equal(seen.flags.includes('mentioned'), message.flagged.named.has(person), context)
    assert.equal(seen.stream_id, message.channel?.id, context)
    if (message.topic !== undefined) assert.equal(topicName(seen.subject), topicName(message.topic), context)
    for (const { prev_stream: id } of seen.edit_history ?? []) {
      const former = this.#model.channels.find((channel) => channel.id === id)
      assert(id === undefined || (former && this.#model.seesPlace(person, message, former)), context)
    }
  }

  async #listed(person: Person): Promise<void> {
    const ids = this.#sent.map((message) => message.id)
    const { body, text } = await this.#ask(person, 'get-messages', { message_ids: [...ids, NO_ID] })
    const received = this.#sent.filter((message) => this.#model.finds(person, message)).map((message) => message.id)
    assert.deepEqual(idsOf(body), received, `${person} asks for a list of messages`)
    this.#checkMarks(person, text)
  }

  /**
   * Everybody flags everything they read, and then channels hide their history: a flag does not keep a message
   * readable.
   */
  async hideHistories(): Promise<void> {
    for (const [index] of this.world.channels.entries()) {
      const channel = this.#model.channelOf(this.world, index)
      const { isArchived, sharesHistory } = channel
      const by = PEOPLE.find((one) => this.#model.mayAdminister(one, channel) && this.#model.mayEnter(one, channel))
      // Flagged messages stay readable where nobody can hide them.
      if (isArchived || !sharesHistory || by === undefined) continue
      for (const person of PEOPLE) {
        const messages = this.#sent.filter((one) => one.channel === channel && this.#model.mayRead(person, one))
        const star = { messages: messages.map(({ id }) => id), op: 'add', flag: 'starred' }
        if (messages.length > 0) assert.equal((await this.#ask(person, 'update-message-flags', star)).status, 200)
      }
      const hidden = { stream_id: channel.id, is_private: true, history_public_to_subscribers: false }
      assert.equal((await this.#ask(by, 'update-stream', hidden)).status, 200)
      this.#model.hideHistory(channel)
      this.#tally.saw('history hidden')
    }
  }

  /** For every channel the topics of readable messages, by their newest messages. */
  async topics(person: Person): Promise<void> {
    for (const [index] of this.world.channels.entries()) {
      const channel = this.#model.channelOf(this.world, index)
      const { status, body, text } = await this.#ask(person, 'get-stream-topics', {
        ...{ stream_id: channel.id, allow_empty_topic_name: true },
      })
      if (!this.#model.mayEnter(person, channel)) {
        assert.equal(status, 400, text)
        continue
      }
      const readable = this.#sent.filter((one) => one.channel === channel && this.#model.mayRead(person, one))
      const newest = readable.filter(
        (one) => !readable.some((other) => other.id > one.id && isSameConversation(one, other)),
      )
      assert.deepEqual(
        body.topics.map((topic: { name: string; max_id: number }) => [topic.max_id, topic.name]),
        newest.map(({ id, topic = '' }) => [id, topicName(topic)]).reverse(),
        `${person} has the topics of ${channel.name}`,
      )
    }
  }

  /**
   * A channel that a user may not enter answers like a missing one: in narrows, when guests join it, and when sending,
   * unless they may know of it.
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

  /** A range in a narrow: the messages that the model finds, and the statements about its ends. */
  async question({ viewer, narrow, before, after, includeAnchor, ...question }: Question): Promise<void> {
    const found = matching(this.#model, this.world, viewer, narrow)
    const isInChannel =
      narrow.terms.some((term) => !term.negated && 'channel' in term) &&
      !narrow.terms.some((term) => term.operator === 'with')
    // The demo organization's earlier messages are unread and old: where they could be found, other anchors are used.
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
    const firstOfAll = this.#model.messages[0]?.id ?? Number.POSITIVE_INFINITY
    const answered = idsOf(body).filter((id) => id >= firstOfAll)
    assert.deepEqual(answered, expected, context)
    assert.equal(body.anchor, at)
    assert.equal(body.found_anchor, includeAnchor && ids.includes(at))
    assert.equal(body.found_newest, at === NEWEST || newer.length < after)
    if (isInChannel) assert.equal(body.found_oldest, at === 0 || older.length < before)
  }

  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  #checkUnread(person: Person, { streams, pms, huddles }: any): void {
    const lists = [...streams, ...pms, ...huddles]
    const first = this.#sent[0]?.id ?? NO_ID
    const ids: number[] = lists.flatMap((one) => one.unread_message_ids)
    const unread = this.#sent.filter(
      (one) => this.#model.isUnread(person, one) && this.#model.mayRead(person, one) && !one.channel?.isArchived,
    )
    assert.deepEqual(
      ids.filter((id) => id >= first).sort((a, b) => a - b),
      unread.map(({ id }) => id),
      `${person} has unread messages`,
    )
  }

  /** @param asEvents whether `text` was told when it happened, when the person may still have seen more */
  #checkMarks(person: Person, text: string, asEvents = false): void {
    for (const [mark] of text.matchAll(/message-mark [0-9a-f]+ \d+-/g)) {
      const message = this.#model.messages.find(({ versions }) => versions.some((one) => one.mark === mark))
      const version = message?.versions.find((one) => one.mark === mark)
      if (!message || !version || (asEvents && version.onceReadableBy.has(person))) continue
      const isKnown =
        version === message.versions.at(-1) ||
        [...version.channels].some((channel) => this.#model.seesPlace(person, message, channel))
      assert(this.#model.mayRead(person, message) && isKnown, `${person} saw ${mark}: ${text}`)
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
  // For others, a name that nobody has creates a channel.
  return person === GUEST ? [['subscribe', { subscriptions: [{ name }] }]] : []
}

function idsOf(body: { messages: readonly { id: number }[] }): number[] {
  return body.messages.map((message) => message.id)
}

/** A channel's name as it appears inside a JSON string. */
function escaped({ name }: ModelChannel): string {
  return JSON.stringify(name).slice(1, -1)
}
