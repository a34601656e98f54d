import type { ArchiveChannel, CreateChannel } from '../../conformance/acts/channels.ts'
import type { Send, SendDirect } from '../../conformance/acts/messages.ts'
import type { Subscribe } from '../../conformance/acts/subscriptions.ts'
import type { Action } from '../../conformance/laws/action-kind.ts'
import type { OwnChannel, World } from '../../conformance/laws/world.ts'
import type { Exchange } from '../../conformance/wire/http.ts'
import { ADMIN, BOT, GUEST, OWNER, PEOPLE, type Person } from './ground.ts'

/** The actions that change who may see what, or what there is to see. */
export type AccessAction =
  | (Send & { readonly kind: 'send' })
  | (SendDirect & { readonly kind: 'send direct' })
  | (Subscribe & { readonly kind: 'subscribe' | 'unsubscribe' })
  | (CreateChannel & { readonly kind: 'create channel' })
  | (ArchiveChannel & { readonly kind: 'archive channel' })
  | (Action & { readonly kind: 'create user' })

/** A channel as the actions made it. */
export interface ModelChannel extends OwnChannel {
  /** Whether a subscriber may read what was sent before their time. */
  readonly sharesHistory: boolean
  readonly subscribers: Set<Person>
  /** Who reads it without being subscribed, by a group setting. */
  readonly openTo: ReadonlySet<Person>
  /** Administers it, and so knows of it always. */
  readonly maker: Person
  isArchived: boolean
  /** Who has ever been able to know of it: events told them when they were. */
  readonly onceKnownTo: Set<Person>
}

export interface ModelMessage {
  readonly id: number
  readonly sender: Person
  /** Stands in its content and nowhere else. */
  readonly mark: string
  /** Without the mark. */
  readonly content: string
  readonly channel: ModelChannel | undefined
  /** As it was sent; undefined for direct messages. */
  readonly topic: string | undefined
  /** Who got it at that moment: the subscribers, or the people of the conversation. */
  readonly receivers: ReadonlySet<Person>
  readonly isReadBySender: boolean
  /** Who has left its channel since, which marks it as read. */
  readonly leftBy: Set<Person>
}

/** Who may see what, worked out from what was done and accepted, one action after another; it asks the server nothing. */
export class Model {
  readonly channels: ModelChannel[] = []
  readonly messages: ModelMessage[] = []

  /** Whether the channel's messages are open to `person`, now. */
  mayEnter(person: Person, channel: ModelChannel): boolean {
    return channel.subscribers.has(person) || (person !== GUEST && (!channel.isPrivate || channel.openTo.has(person)))
  }

  /** Whether `person` may know that there is such a channel: whoever made it does, and administrators know of all. */
  mayKnow(person: Person, channel: ModelChannel): boolean {
    return this.mayEnter(person, channel) || this.mayAdminister(person, channel)
  }

  /** The demo bot is the owner's, and sends where its owner may. */
  maySend(person: Person, channel: ModelChannel): boolean {
    if (channel.isArchived) return false
    return this.mayEnter(person, channel) || (person === BOT && this.mayEnter(OWNER, channel))
  }

  mayAdminister(person: Person, channel: ModelChannel): boolean {
    return person === OWNER || person === ADMIN || person === channel.maker
  }

  mayRead(person: Person, message: ModelMessage): boolean {
    const { channel } = message
    if (!channel) return message.receivers.has(person)
    return this.mayEnter(person, channel) && (channel.sharesHistory || message.receivers.has(person))
  }

  /** Received, and still to be read. */
  finds(person: Person, message: ModelMessage): boolean {
    return message.receivers.has(person) && this.mayRead(person, message)
  }

  isUnread(person: Person, message: ModelMessage): boolean {
    if (message.leftBy.has(person)) return false
    return message.receivers.has(person) && !(message.sender === person && message.isReadBySender)
  }

  channelOf(world: World, number: number): ModelChannel {
    const made = world.channel(number)
    const channel = this.channels.find(({ id }) => id === made.id)
    if (!channel) throw new Error(`nobody told the model of channel ${made.name}`)
    return channel
  }

  /** Whether the server had to accept the action; undefined where rules other than those of access matter too. */
  isAllowed(world: World, action: AccessAction): boolean | undefined {
    if (action.kind === 'send') return this.maySend(action.who, this.channelOf(world, action.channel))
    if (action.kind === 'archive channel') {
      const channel = this.channelOf(world, action.channel)
      return !channel.isArchived && this.mayAdminister(action.who, channel)
    }
    if (action.kind !== 'subscribe' && action.kind !== 'unsubscribe') return undefined
    const channels = action.channels.map((number) => this.channelOf(world, number))
    if (action.kind === 'subscribe') {
      const isOpen = channels.every((channel) => !channel.isArchived && this.mayEnter(action.who, channel))
      return isOpen ? undefined : false
    }
    // The demo bot is the owner's.
    const strangers = action.others.filter((one) => one !== action.who && !(action.who === OWNER && one === BOT))
    return channels.every(
      (channel) =>
        this.mayKnow(action.who, channel) && (strangers.length === 0 || this.mayAdminister(action.who, channel)),
    )
  }

  /** Takes note of an action that was accepted. */
  apply(world: World, action: AccessAction, answer: Exchange, mark: string): void {
    switch (action.kind) {
      case 'send':
      case 'send direct':
        this.#sent(world, action, answer, mark)
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
        action satisfies never
    }
    for (const channel of this.channels) {
      for (const person of PEOPLE) if (this.mayKnow(person, channel)) channel.onceKnownTo.add(person)
    }
  }

  #sent(world: World, action: AccessAction & { kind: 'send' | 'send direct' }, answer: Exchange, mark: string): void {
    const channel = action.kind === 'send' ? this.channelOf(world, action.channel) : undefined
    this.messages.push({
      id: answer.body.id,
      sender: action.who,
      mark,
      content: action.content,
      channel,
      topic: action.kind === 'send' ? action.topic : undefined,
      receivers: new Set(action.kind === 'send' ? channel?.subscribers : [action.who, ...action.to]),
      // The suite is no program for people.
      isReadBySender: action.readBySender ?? false,
      leftBy: new Set(),
    })
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
        for (const message of this.messages) if (message.channel === channel) message.leftBy.add(one)
      }
    }
  }
}
