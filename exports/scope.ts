import type { ExportedMessage } from '../db/repositories/exported-rows.ts'
import type { Readers } from '../db/repositories.ts'
import { type Channel, wasReceivedIn } from '../domain/channels/channel.ts'
import type { ExportType } from '../domain/exports.ts'
import type { ChannelId, DirectGroupId, UserId } from '../domain/ids.ts'
import { isRemoved, type MessageRemoval } from '../domain/messages/message-removal.ts'
import { isShownTo } from '../domain/users/email-visibility.ts'
import { ROLE } from '../domain/users/roles.ts'
import { personOf, type User } from '../domain/users/user.ts'
import { isConsenting } from './consent.ts'

/** Messages after one id up to another; null means up to the newest. */
interface Span {
  readonly afterMessageId: number
  readonly toMessageId: number | null
}

/** Consenting subscribers of a private channel, and whether they can read messages from before their subscriptions. */
interface Readership {
  readonly users: ReadonlySet<UserId>
  readonly sharesHistory: boolean
}

/** Facts on which a scope depends besides people and channels. */
interface ScopeFacts {
  readonly isWhole: boolean
  readonly agreed: ReadonlySet<UserId>
  readonly lastMessageId: number
  readonly removals: readonly MessageRemoval[]
}

/** Subscriptions read by one query. */
const SUBSCRIPTIONS_A_STATEMENT = 1000
/** Conversations whose members are cached. */
const MAX_KNOWN_CONVERSATIONS = 10_000

/**
 * The content of an archive: everything public, and private data of the people who consented, or of everybody. A
 * private message is exported if any one of those who can read it consented (EXPORT-3 to 5).
 */
export class Scope {
  /** All users, including deactivated ones, by ascending id. */
  readonly users: readonly User[]
  readonly channels: readonly Channel[]
  /** Messages up to this one: their senders and channels existed when people and channels were read. */
  readonly lastMessageId: number
  readonly isWhole: boolean
  /** Users whose private data is exported. */
  readonly #agreed: ReadonlySet<UserId>
  /** Deletions of people's messages that are still in progress. */
  readonly #removals: readonly MessageRemoval[]
  readonly #read: Readers
  readonly #channels: ReadonlyMap<ChannelId, Channel>
  readonly #readerships = new Map<ChannelId, Readership>()
  /**
   * For each pair of a current and an original channel, the messages that readers of the first received in the second.
   */
  readonly #received = new Map<string, readonly Span[]>()
  #conversations = new Map<DirectGroupId, readonly UserId[]>()

  private constructor(
    read: Readers,
    users: readonly User[],
    channels: readonly Channel[],
    { isWhole, agreed, lastMessageId, removals }: ScopeFacts,
  ) {
    this.#removals = removals
    this.lastMessageId = lastMessageId
    this.#read = read
    this.users = users
    this.channels = channels
    this.#channels = new Map(channels.map((channel) => [channel.id, channel]))
    this.isWhole = isWhole
    this.#agreed = agreed
  }

  static async of(read: Readers, type: ExportType): Promise<Scope> {
    const { messageId: lastMessageId } = await read.events.head()
    const users = (await read.users.all()).toSorted((a, b) => a.id - b.id)
    const channels = (await read.channels.all()).toSorted((a, b) => a.id - b.id)
    const agreed = type === 'public' ? new Set<UserId>() : await agreedAmong(read, users)
    return new Scope(read, users, channels, {
      isWhole: type === 'full_without_consent',
      agreed,
      lastMessageId,
      removals: await read.messageRemovals.all(),
    })
  }

  /** Whether the assumptions still hold: nobody has withdrawn consent, and no channel has become more private. */
  async stillHolds(read: Pick<Readers, 'users' | 'channels'>): Promise<boolean> {
    return this.isWhole || ((await this.#areAgreed(read)) && (await this.#areOpen(read)))
  }

  async #areOpen(read: Pick<Readers, 'channels'>): Promise<boolean> {
    return (await read.channels.all()).every((channel) => {
      const before = this.#channels.get(channel.id) ?? channel
      const isClosed = channel.inviteOnly && !before.inviteOnly
      return !isClosed && (channel.historyPublicToSubscribers || !before.historyPublicToSubscribers)
    })
  }

  async #areAgreed(read: Pick<Readers, 'users'>): Promise<boolean> {
    if (this.#agreed.size === 0) return true
    const now = await agreedAmong(
      read,
      this.users.filter(({ id }) => this.#agreed.has(id)),
    )
    return now.size === this.#agreed.size
  }

  /** Whether anybody's private data is exported. */
  get hasPrivateData(): boolean {
    return this.isWhole || this.#agreed.size > 0
  }

  hasPrivateDataOf({ id }: Pick<User, 'id'>): boolean {
    return this.isWhole || this.#agreed.has(id)
  }

  /** Whether the address is exported: either every administrator sees it anyway, or the private data is exported. */
  hasAddressOf(user: User): boolean {
    return this.hasPrivateDataOf(user) || isShownTo(ROLE.administrator, user.emailVisibility)
  }

  async hasChannel(channel: Channel): Promise<boolean> {
    return this.isWhole || !channel.inviteOnly || (await this.#readershipOf(channel)).users.size > 0
  }

  /** The members of the conversation, by ascending id. */
  conversation(id: DirectGroupId): readonly UserId[] {
    return this.#conversations.get(id) ?? []
  }

  /** The messages of a page that are exported. */
  async messagesAmong(page: readonly ExportedMessage[]): Promise<ExportedMessage[]> {
    await this.#loadConversations(page)
    const found: ExportedMessage[] = []
    for (const message of page) if (await this.#hasMessage(message)) found.push(message)
    return found
  }

  async #hasMessage(message: ExportedMessage): Promise<boolean> {
    if (this.#isToBeDeleted(message)) return false
    const { id, channel_id: channelId, origin_channel_id: origin, direct_group_id: groupId } = message
    if (groupId !== null) return this.isWhole || this.conversation(groupId).some((userId) => this.#agreed.has(userId))
    const channel = channelId === null ? undefined : this.#channels.get(channelId)
    // The channel is newer than the scope, so its readers are unknown.
    if (!channel) return false
    if (this.isWhole || !channel.inviteOnly) return true
    const { users, sharesHistory } = await this.#readershipOf(channel)
    if (users.size === 0 || sharesHistory) return users.size > 0
    const spans = await this.#receivedBy(users, channel.id, origin ?? channel.id)
    // The drivers of the two databases return different types.
    return spans.some((span) => wasReceivedIn(span as Parameters<typeof wasReceivedIn>[0], id))
  }

  #isToBeDeleted({ id, sender_id: senderId, channel_id: channelId }: ExportedMessage): boolean {
    const isPrivate = channelId === null ? null : (this.#channels.get(channelId)?.inviteOnly ?? true)
    return this.#removals.some((one) => one.userId === senderId && id <= one.throughId && isRemoved(one, isPrivate))
  }

  async #loadConversations(page: readonly ExportedMessage[]): Promise<void> {
    const ids = new Set(page.flatMap(({ direct_group_id: id }) => (id === null ? [] : [id])))
    const missing = [...ids].filter((id) => !this.#conversations.has(id))
    if (missing.length === 0) return
    if (this.#conversations.size + missing.length > MAX_KNOWN_CONVERSATIONS) {
      const kept = [...this.#conversations].filter(([id]) => ids.has(id))
      this.#conversations = new Map(kept)
    }
    for (const [id, userIds] of await this.#read.directGroups.members(missing)) this.#conversations.set(id, userIds)
  }

  async #readershipOf({ id, historyPublicToSubscribers: sharesHistory }: Channel): Promise<Readership> {
    const known = this.#readerships.get(id)
    if (known) return known
    const users = new Set<UserId>()
    for (let after = 0; this.#agreed.size > 0; ) {
      const page = await this.#read.exportedRows.subscriptions(id, after, SUBSCRIPTIONS_A_STATEMENT)
      for (const { user_id: userId, is_active: isActive } of page) {
        if (isActive === 1 && this.#agreed.has(userId)) users.add(userId)
      }
      const last = page.at(-1)
      if (!last || page.length < SUBSCRIPTIONS_A_STATEMENT) break
      after = last.user_id
    }
    const readership = { users, sharesHistory }
    this.#readerships.set(id, readership)
    return readership
  }

  async #receivedBy(users: ReadonlySet<UserId>, channelId: ChannelId, origin: ChannelId): Promise<readonly Span[]> {
    const key = `${channelId}/${origin}`
    let spans = this.#received.get(key)
    if (!spans) {
      spans = merged((await this.#read.exportedRows.spans(origin)).filter(({ userId }) => users.has(userId)))
      this.#received.set(key, spans)
    }
    return spans
  }
}

/** Those of `users` who consented; a bot follows its owner. */
async function agreedAmong(read: Pick<Readers, 'users'>, users: readonly User[]): Promise<Set<UserId>> {
  const settings = await read.users.settings(users.map(personOf))
  return new Set(users.filter((user) => isConsenting(user, settings)).map(({ id }) => id))
}

/** Returns the same messages in as few spans as possible, because thousands of people often received the same ones. */
function merged(spans: readonly Span[]): Span[] {
  const joined: { afterMessageId: number; toMessageId: number | null }[] = []
  for (const { afterMessageId, toMessageId } of spans.toSorted((a, b) => a.afterMessageId - b.afterMessageId)) {
    const last = joined.at(-1)
    if (!last || (last.toMessageId !== null && last.toMessageId < afterMessageId)) {
      joined.push({ afterMessageId, toMessageId })
    } else if (last.toMessageId !== null) {
      last.toMessageId = toMessageId === null ? null : Math.max(last.toMessageId, toMessageId)
    }
  }
  return joined
}
