import type { ArchiveChannel, CreateChannel } from '../../conformance/acts/channels.ts'
import type { Send, SendDirect } from '../../conformance/acts/messages.ts'
import type { Subscribe } from '../../conformance/acts/subscriptions.ts'
import type { Action } from '../../conformance/laws/action-kind.ts'
import type { World } from '../../conformance/laws/world.ts'
import { ADMIN, BOT, GUEST, MEMBER, OWNER, PEOPLE, type Person } from './ground.ts'
import type { ModelChannel } from './model-channel.ts'
import {
  isResolved,
  isSameConversation,
  type ModelMessage,
  otherwiseResolved,
  topicName,
  type Version,
} from './model-message.ts'

/** Actions that change who may see what, or what there is to see. */
export type AccessAction =
  | (Send & { readonly kind: 'send' })
  | (SendDirect & { readonly kind: 'send direct' })
  | (Subscribe & { readonly kind: 'subscribe' | 'unsubscribe' })
  | (CreateChannel & { readonly kind: 'create channel' })
  | (ArchiveChannel & { readonly kind: 'archive channel' })
  | (Action & { readonly kind: 'create user' })
  | (MessageAction & { readonly kind: 'resolve' | 'delete'; readonly isOwn?: boolean })
  | (MessageAction & { readonly kind: 'edit'; readonly content: string; readonly isOwn?: boolean })
  | (Move & { readonly kind: 'move' })

interface MessageAction extends Action {
  readonly message: number
}
interface Move extends MessageAction {
  readonly topic: string
  readonly mode: 'change_one' | 'change_later' | 'change_all'
  /** Null means its current place. */
  readonly into: number | null
}

/** What the server answers to a successful action. */
export interface Done {
  /** Id of the sent message. */
  readonly id: number
  /** The mark in its new content. */
  readonly mark: string
}

/** Who may see what, computed from the accepted actions, one after another; it asks the server nothing. */
export class Model {
  readonly channels: ModelChannel[] = []
  readonly messages: ModelMessage[] = []

  /** Whether `person` may now read the channel's messages. */
  mayEnter(person: Person, channel: ModelChannel): boolean {
    return channel.subscribers.has(person) || (person !== GUEST && (!channel.isPrivate || channel.openTo.has(person)))
  }

  /** Whether `person` may know of the channel: its creator does, and administrators know of all. */
  mayKnow(person: Person, channel: ModelChannel): boolean {
    return this.mayEnter(person, channel) || this.mayAdminister(person, channel)
  }

  /** The demo bot belongs to the owner, and may send where the owner may. */
  maySend(person: Person, channel: ModelChannel): boolean {
    if (channel.isArchived) return false
    return this.mayEnter(person, channel) || (person === BOT && this.mayEnter(OWNER, channel))
  }

  mayAdminister(person: Person, channel: ModelChannel): boolean {
    return person === OWNER || person === ADMIN || person === channel.maker
  }

  mayRead(person: Person, message: ModelMessage): boolean {
    const { channel } = message
    if (message.isDeleted) return false
    if (!channel) return message.receivers.has(person)
    return this.mayEnter(person, channel) && (channel.sharesHistory || message.receivers.has(person))
  }

  /** Received, and still readable. */
  finds(person: Person, message: ModelMessage): boolean {
    return message.receivers.has(person) && this.mayRead(person, message)
  }

  isUnread(person: Person, message: ModelMessage): boolean {
    return message.receivers.has(person) && !message.readBy.has(person)
  }

  /** Whether `person` may know that a message they read was in `channel` (DIFF-FORMER-PLACES). */
  seesPlace(person: Person, message: ModelMessage, channel: ModelChannel | undefined): boolean {
    if (channel === message.channel || !channel) return true
    return this.mayEnter(person, channel) && (channel.sharesHistory || message.receivers.has(person))
  }

  /** The message that an action names. */
  target(world: World, action: AccessAction): ModelMessage | undefined {
    if (!('message' in action)) return undefined
    const id = world.message(action.message)?.id
    return this.messages.find((one) => one.id === id)
  }

  channelOf(world: World, number: number): ModelChannel {
    const made = world.channel(number)
    const channel = this.channels.find(({ id }) => id === made.id)
    if (!channel) throw new Error(`nobody told the model of channel ${made.name}`)
    return channel
  }

  /** Whether the server had to accept the action; undefined if it also depends on rules other than access. */
  isAllowed(world: World, action: AccessAction): boolean | undefined {
    if (action.kind === 'send') return this.maySend(action.who, this.channelOf(world, action.channel))
    if (action.kind === 'archive channel') {
      const channel = this.channelOf(world, action.channel)
      return !channel.isArchived && this.mayAdminister(action.who, channel)
    }
    if ('message' in action) return this.#mayChange(world, action)
    if (action.kind !== 'subscribe' && action.kind !== 'unsubscribe') return undefined
    const channels = action.channels.map((number) => this.channelOf(world, number))
    if (action.kind === 'subscribe') {
      const isOpen = channels.every((channel) => !channel.isArchived && this.mayEnter(action.who, channel))
      return isOpen ? undefined : false
    }
    // The demo bot belongs to the owner.
    const strangers = action.others.filter((one) => one !== action.who && !(action.who === OWNER && one === BOT))
    return channels.every(
      (channel) =>
        this.mayKnow(action.who, channel) && (strangers.length === 0 || this.mayAdminister(action.who, channel)),
    )
  }

  /** Nobody changes what they cannot see; whether those who see it may depends on settings. */
  #mayChange(world: World, action: AccessAction & MessageAction): false | undefined {
    const message = this.target(world, action)
    if (!message) return undefined
    const by = 'isOwn' in action && action.isOwn !== false ? message.sender : action.who
    if (by === undefined || !this.mayRead(by, message) || message.channel?.isArchived) return false
    if (action.kind === 'edit' && by !== message.sender) return false
    if (action.kind !== 'move' || action.into === null) return undefined
    const to = this.channelOf(world, action.into)
    return to === message.channel || this.maySend(by, to) ? undefined : false
  }

  /** Records an accepted action. */
  apply(world: World, action: AccessAction, done: Done): void {
    switch (action.kind) {
      case 'send':
      case 'send direct':
        this.#sent(world, action, done)
        break
      case 'create channel':
        this.#made(world, action)
        break
      case 'subscribe':
        this.#subscribed(world, action)
        break
      case 'unsubscribe':
        this.#unsubscribed(world, action)
        break
      case 'archive channel':
        this.channelOf(world, action.channel).isArchived = true
        break
      case 'create user':
        break
      default:
        throw new RangeError(`${action.kind} changes a message`)
    }
    this.#remember()
  }

  /** Records an accepted action on a message, which was named before the action. */
  applyTo(world: World, message: ModelMessage, action: AccessAction, { mark }: Done): void {
    switch (action.kind) {
      case 'edit':
        this.#edited(message, action.content, mark)
        break
      case 'delete':
        message.isDeleted = true
        break
      case 'resolve':
        this.#moved(world, message, {
          ...{ who: action.who, mode: 'change_all', to: message.channel },
          topic: otherwiseResolved(topicName(message.topic ?? '')),
        })
        break
      case 'move': {
        const to = action.into === null ? message.channel : this.channelOf(world, action.into)
        this.#moved(world, message, { who: action.who, mode: action.mode, to, topic: action.topic })
        break
      }
      default:
        throw new RangeError(`${action.kind} changes no message`)
    }
    this.#remember()
  }

  /** Whether the server sends a notice in the message's current topic: always for the mark of resolved topics. */
  isNoticed({ topic = '' }: ModelMessage, action: AccessAction): boolean {
    return action.kind === 'resolve' || (action.kind === 'move' && isResolved(topic) !== isResolved(action.topic))
  }

  #remember(): void {
    for (const channel of this.channels) {
      for (const person of PEOPLE) if (this.mayKnow(person, channel)) channel.onceKnownTo.add(person)
    }
    for (const message of this.messages) {
      const version = message.versions.at(-1)
      for (const person of PEOPLE) if (this.mayRead(person, message)) version?.onceReadableBy.add(person)
    }
  }

  #sent(world: World, action: AccessAction & { kind: 'send' | 'send direct' }, { id, mark }: Done): void {
    const channel = action.kind === 'send' ? this.channelOf(world, action.channel) : undefined
    const message: ModelMessage = {
      ...{ id, sender: action.who, versions: [newVersion(mark, channel)], content: action.content },
      ...{ origin: channel, channel, topic: action.kind === 'send' ? action.topic : undefined },
      receivers: new Set(action.kind === 'send' ? channel?.subscribers : [action.who, ...action.to]),
      // The suite's client does not mark sent messages as read.
      readBy: new Set(action.readBySender ? [action.who] : []),
      flagged: { named: new Set(), asParticipant: new Set() },
      isDeleted: false,
    }
    this.messages.push(message)
    this.#flag(message, message.receivers)
  }

  #edited(message: ModelMessage, content: string, mark: string): void {
    message.content = content
    message.versions.push(newVersion(mark, message.channel))
    this.#flag(message, new Set([...message.receivers].filter((person) => this.mayRead(person, message))))
  }

  /** @param reached people whom the content can flag */
  #flag(message: ModelMessage, reached: ReadonlySet<Person>): void {
    const { flagged, content } = message
    const participants = (): (Person | undefined)[] =>
      this.messages.filter((one) => !one.isDeleted && isSameConversation(one, message)).map(({ sender }) => sender)
    const isForTopic = content.startsWith('@**topic**') && message.channel
    replace(flagged.named, namedIn(message), reached)
    replace(flagged.asParticipant, isForTopic ? participants() : [], reached)
  }

  #moved(world: World, named: ModelMessage, { who, mode, to, topic }: Moving): void {
    const from = named.channel
    const together = this.messages.filter(
      (one) =>
        !one.isDeleted &&
        isSameConversation(one, named) &&
        (mode === 'change_all' || one.id === named.id || (mode === 'change_later' && one.id > named.id)) &&
        (from?.sharesHistory || one === named || this.mayRead(who, one)),
    )
    for (const message of together) {
      message.topic = topic
      if (to === from || !from || !to) continue
      message.channel = to
      message.versions.at(-1)?.channels.add(to)
      const own = world.messages.find(({ id }) => id === message.id)
      if (own) own.channel = world.channels.find(({ id }) => id === to.id)
      for (const one of from.subscribers) if (!to.subscribers.has(one)) message.readBy.add(one)
      for (const flags of Object.values(message.flagged)) {
        for (const one of flags) if (!this.mayEnter(one, to)) flags.delete(one)
      }
    }
  }

  /**
   * A notice about the message, in its current place. Whoever receives it has read it, because of these people's
   * settings.
   */
  noticed({ channel, topic }: ModelMessage, id: number): void {
    const receivers = new Set(channel?.subscribers)
    this.messages.push({
      ...{ id, sender: undefined, versions: [newVersion('', channel)], content: '' },
      ...{ origin: channel, channel, topic, receivers, readBy: new Set(receivers) },
      ...{ flagged: { named: new Set(), asParticipant: new Set() }, isDeleted: false },
    })
  }

  /** Only those who received a message can read it from now on. */
  hideHistory(channel: ModelChannel): void {
    Object.assign(channel, { isPrivate: true, sharesHistory: false })
  }

  #made(world: World, { who, others, isPrivate, ...action }: CreateChannel): void {
    const made = world.channels.at(-1)
    if (!made) throw new Error('a channel was made and the world does not know it')
    const sharesHistory = isPrivate ? (action.sharesHistory ?? false) : true
    const openTo = new Set(action.openedBy === undefined ? [] : action.openTo)
    const channel = { ...made, sharesHistory, subscribers: new Set([who, ...others]), openTo, maker: who }
    this.channels.push({ ...channel, isArchived: false, onceKnownTo: new Set() })
  }

  #subscribed(world: World, action: Subscribe): void {
    const people = action.others.length > 0 ? action.others : [action.who]
    for (const number of action.channels) for (const one of people) this.channelOf(world, number).subscribers.add(one)
  }

  #unsubscribed(world: World, action: Subscribe): void {
    const people = action.others.length > 0 ? action.others : [action.who]
    for (const number of action.channels) {
      const channel = this.channelOf(world, number)
      for (const one of people) {
        if (!channel.subscribers.delete(one)) continue
        for (const message of this.messages) if (message.channel === channel) message.readBy.add(one)
      }
    }
  }
}

interface Moving extends Pick<Move, 'who' | 'mode' | 'topic'> {
  readonly to: ModelChannel | undefined
}

function newVersion(mark: string, channel: ModelChannel | undefined): Version {
  return { mark, channels: new Set([channel]), onceReadableBy: new Set() }
}

function namedIn({ content }: ModelMessage): readonly Person[] {
  return content.startsWith(`@{${MEMBER}} and @{${GUEST}}`) ? [MEMBER, GUEST] : []
}

function replace(flags: Set<Person>, wanted: readonly (Person | undefined)[], reached: ReadonlySet<Person>): void {
  flags.clear()
  for (const one of wanted) if (one !== undefined && reached.has(one)) flags.add(one)
}
