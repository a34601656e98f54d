import type { Database } from '../db/database.ts'
import type { Audience } from '../domain/audience.ts'
import type { SubscriptionSpan } from '../domain/channel.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../domain/ids.ts'
import type { LoggedEvent } from '../domain/log-event.ts'
import { isGuest, type Role } from '../domain/roles.ts'

export interface Viewer {
  readonly id: UserId
  readonly role: Role
}

/** Users whose spans are loaded with one query. */
const LOAD_CHUNK = 500

/**
 * Who may see which event, as of the event's own position: someone unsubscribed between two messages gets the first
 * and not the second, also when both are fetched later.
 * The spans of users who have queues are kept in memory. They are dropped when the log says that a user's
 * subscriptions changed, and read again when next needed; spans never vanish from the table, so what is read later
 * still decides rightly about earlier events.
 */
export class Audiences {
  readonly #db: Database
  readonly #spans = new Map<UserId, Map<ChannelId, SubscriptionSpan[]>>()
  /** Counts what was forgotten, so that a query that was under way meanwhile is not believed. */
  #changes = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** Loads what `isIn` needs to know about `userIds`. To be awaited before asking about them. */
  async load(userIds: readonly UserId[]): Promise<void> {
    const missing = [...new Set(userIds)].filter((id) => !this.#spans.has(id))
    for (let start = 0; start < missing.length; ) {
      const chunk = missing.slice(start, start + LOAD_CHUNK)
      const changesBefore = this.#changes
      const spans = Map.groupBy(await this.#db.read.subscriptions.spans(chunk), (span) => span.userId)
      if (this.#changes !== changesBefore) continue
      for (const id of chunk)
        this.#spans.set(
          id,
          Map.groupBy(spans.get(id) ?? [], (span) => span.channelId),
        )
      start += LOAD_CHUNK
    }
  }

  isLoaded(userId: UserId): boolean {
    return this.#spans.has(userId)
  }

  /** Forgets the users whose subscriptions `logged` changed. Call it for every event, in the order of the log. */
  follow({ event, audience }: LoggedEvent): void {
    if (event.type !== 'subscription' || event.op !== 'add' || audience.to !== 'users') return
    this.#changes += 1
    for (const id of audience.userIds) this.#spans.delete(id)
  }

  isIn(audience: Audience, viewer: Viewer, eventId: EventId, allPublicChannels: boolean): boolean {
    switch (audience.to) {
      case 'everyone':
        return true
      case 'members':
        return !isGuest(viewer.role)
      case 'users':
        return audience.userIds.includes(viewer.id)
      case 'channel':
        return (
          (this.wasSubscribed(viewer.id, audience.channelId, eventId) &&
            (!audience.received || this.received(viewer.id, audience.received))) ||
          (allPublicChannels && audience.isPublic && !isGuest(viewer.role))
        )
      case 'any':
        return audience.of.some((one) => this.isIn(one, viewer, eventId, allPublicChannels))
      case 'nobody':
        return false
      default:
        return audience satisfies never
    }
  }

  /** Whether the user was subscribed to the channel when the message was sent to it. */
  received(userId: UserId, { channelId, messageId }: { channelId: ChannelId; messageId: MessageId }): boolean {
    const spans = this.#spans.get(userId)?.get(channelId)
    if (!spans) return false
    return spans.some(
      (span) => span.afterMessageId < messageId && (span.toMessageId === null || messageId <= span.toMessageId),
    )
  }

  wasSubscribed(userId: UserId, channelId: ChannelId, eventId: EventId): boolean {
    const spans = this.#spans.get(userId)?.get(channelId)
    if (!spans) return false
    return spans.some((span) => span.afterEventId < eventId && (span.toEventId === null || eventId <= span.toEventId))
  }
}
