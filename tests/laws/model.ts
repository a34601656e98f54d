import type { Answer } from '../../server/testing.ts'
import type { ArchiveChannel } from './actions/archive-channel.ts'
import type { CreateUser } from './actions/create-user.ts'
import type { SendDirect, SendToChannel } from './actions/send.ts'
import type { CreateChannel, Subscribe } from './actions/subscribe.ts'
import type { Unsubscribe } from './actions/unsubscribe.ts'
import { PEOPLE, type Person } from './people.ts'
import type { MadeChannel, Run } from './run.ts'

/** The actions that change who may see what, or what there is to see. */
export type AccessAction =
  | SendToChannel
  | SendDirect
  | Subscribe
  | Unsubscribe
  | CreateChannel
  | ArchiveChannel
  | CreateUser

/** A channel as the actions made it. */
export interface ModelChannel extends MadeChannel {
  readonly isPrivate: boolean
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
    return channel.subscribers.has(person) || (person !== 'guest' && (!channel.isPrivate || channel.openTo.has(person)))
  }

  /** Whether `person` may know that there is such a channel: whoever made it does, and administrators know of all. */
  mayKnow(person: Person, channel: ModelChannel): boolean {
    return this.mayEnter(person, channel) || this.mayAdminister(person, channel)
  }

  /** The demo bot is the owner's, and sends where its owner may. */
  maySend(person: Person, channel: ModelChannel): boolean {
    if (channel.isArchived) return false
    return this.mayEnter(person, channel) || (person === 'bot' && this.mayEnter('owner', channel))
  }

  mayAdminister(person: Person, channel: ModelChannel): boolean {
    return person === 'owner' || person === 'admin' || person === channel.maker
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

  channelOf(run: Run, number: number): ModelChannel | undefined {
    const made = run.channel(number)
    return this.channels.find((channel) => channel.id === made?.id)
  }

  /** Whether the server had to accept the action; undefined where rules other than those of access matter too. */
  isAllowed(run: Run, action: AccessAction): boolean | undefined {
    if (action.kind === 'send to channel') {
      const channel = this.channelOf(run, action.channel)
      return channel !== undefined && this.maySend(action.actor, channel)
    }
    if (action.kind === 'archive channel') {
      const channel = this.channelOf(run, action.channel)
      return channel !== undefined && !channel.isArchived && this.mayAdminister(action.actor, channel)
    }
    if (action.kind === 'unsubscribe oneself' || action.kind === 'unsubscribe others') {
      const channels = action.channels.map((number) => this.channelOf(run, number))
      // The demo bot is the owner's.
      const strangers = action.others.filter(
        (one) => one !== action.actor && !(action.actor === 'owner' && one === 'bot'),
      )
      return channels.every(
        (channel) =>
          channel !== undefined &&
          this.mayKnow(action.actor, channel) &&
          (strangers.length === 0 || this.mayAdminister(action.actor, channel)),
      )
    }
    if (action.kind !== 'subscribe oneself' && action.kind !== 'subscribe others') return undefined
    const channels = action.channels.map((number) => this.channelOf(run, number))
    const isOpen = channels.every(
      (channel) => channel !== undefined && !channel.isArchived && this.mayEnter(action.actor, channel),
    )
    return isOpen ? undefined : false
  }

  /** Takes note of an action that was accepted. */
  apply(run: Run, action: AccessAction, answer: Answer, mark: string): void {
    switch (action.kind) {
      case 'send to channel':
        this.#sent(action, answer, mark, this.channelOf(run, action.channel))
        break
      case 'send direct message':
      case 'send group message':
        this.#sent(action, answer, mark, undefined)
        break
      case 'create channel':
        this.#made(run, action)
        break
      case 'subscribe oneself':
      case 'subscribe others':
        this.#subscribed(run, action)
        break
      case 'unsubscribe oneself':
      case 'unsubscribe others':
        this.#unsubscribed(run, action)
        break
      case 'archive channel':
        this.#archived(this.channelOf(run, action.channel))
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

  #sent(action: SendToChannel | SendDirect, answer: Answer, mark: string, channel: ModelChannel | undefined): void {
    this.messages.push({
      id: answer.body.id,
      sender: action.actor,
      mark,
      content: action.content,
      channel,
      topic: action.kind === 'send to channel' ? action.topic : undefined,
      receivers: new Set(action.kind === 'send to channel' ? channel?.subscribers : [action.actor, ...action.others]),
      // The tests' client is a program for people.
      isReadBySender: action.readBySender ?? true,
      leftBy: new Set(),
    })
  }

  #made(run: Run, action: CreateChannel): void {
    const made = run.channels.at(-1)
    if (!made) throw new Error('a channel was made and the owner did not hear of it')
    const sharesHistory = action.sharesHistory ?? !action.isPrivate
    const subscribers = new Set([action.actor, ...action.others])
    const openTo = new Set(action.openedBy === null ? [] : action.openTo)
    const channel = { ...made, isPrivate: action.isPrivate, sharesHistory, subscribers, openTo, maker: action.actor }
    this.channels.push({ ...channel, isArchived: false, onceKnownTo: new Set() })
  }

  #subscribed(run: Run, action: Subscribe): void {
    const people = action.others.length > 0 ? action.others : [action.actor]
    for (const number of action.channels) for (const one of people) this.channelOf(run, number)?.subscribers.add(one)
  }

  #unsubscribed(run: Run, action: Unsubscribe): void {
    const people = action.others.length > 0 ? action.others : [action.actor]
    for (const number of action.channels) {
      const channel = this.channelOf(run, number)
      for (const one of people) {
        if (!channel?.subscribers.delete(one)) continue
        for (const message of this.messages) if (message.channel === channel) message.leftBy.add(one)
      }
    }
  }

  #archived(channel: ModelChannel | undefined): void {
    if (channel) channel.isArchived = true
  }
}
