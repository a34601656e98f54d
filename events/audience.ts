import type { Database } from '../db/database.ts'
import { type SubscriptionSpan, wasReceivedIn } from '../domain/channels/channel.ts'
import type { Audience } from '../domain/events/audience.ts'
import type { LoggedEvent } from '../domain/events/log-event.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../domain/ids.ts'
import { isGuest, ROLE, type Role, type RoleHistory, roleAt } from '../domain/users/roles.ts'

/** The known data of a user with queues. */
interface Known {
  readonly spans: ReadonlyMap<ChannelId, readonly SubscriptionSpan[]>
  readonly roles: RoleHistory
}

/** Used for accounts that do not exist: sees least. */
const NOBODY: RoleHistory = { role: ROLE.guest, former: [] }
const NO_USERS: ReadonlySet<UserId> = new Set()
/** Users whose subscription periods are loaded by one query. */
const LOAD_CHUNK = 500

/**
 * Decides who may see which event, as of the event's own position: somebody unsubscribed between two messages gets the
 * first and not the second, even if both are fetched later. Subscription periods and roles of users with queues are
 * kept in memory. They are dropped when the log says that a user's subscriptions, role or activity changed, and read
 * again when needed. Former roles stay in the table, and periods at least as long as the log has one of their events, so
 * later reads still decide correctly about earlier events.
 */
export class Audiences {
  readonly #db: Database
  readonly #known = new Map<UserId, Known>()
  /** Of the known users, those with a present or former subscription, by channel. */
  readonly #ofChannels = new Map<ChannelId, Set<UserId>>()
  /** Number of invalidations, so that the result of a query that was running meanwhile is not trusted. */
  #changes = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** Loads the data of `userIds` that `isIn` needs. Await it before calling `isIn` for them. */
  async load(userIds: readonly UserId[]): Promise<void> {
    const missing = [...new Set(userIds)].filter((id) => !this.#known.has(id))
    for (let start = 0; start < missing.length; ) {
      const chunk = missing.slice(start, start + LOAD_CHUNK)
      const changesBefore = this.#changes
      const spans = Map.groupBy(await this.#db.read.subscriptions.spans(chunk), (span) => span.userId)
      const roles = await this.#db.read.users.roleHistories(chunk)
      if (this.#changes !== changesBefore) continue
      for (const id of chunk) {
        const ofUser = Map.groupBy(spans.get(id) ?? [], (span) => span.channelId)
        this.#known.set(id, { spans: ofUser, roles: roles.get(id) ?? NOBODY })
        for (const channelId of ofUser.keys()) {
          this.#ofChannels.set(channelId, (this.#ofChannels.get(channelId) ?? new Set()).add(id))
        }
      }
      start += LOAD_CHUNK
    }
  }

  isLoaded(userId: UserId): boolean {
    return this.#known.has(userId)
  }

  /** Drops the users whom `logged` changed, and returns them. Call it for every event, in the order of the log. */
  follow({ event, audience }: Pick<LoggedEvent, 'event' | 'audience'>): readonly UserId[] {
    const changed = changedBy(event, audience)
    if (changed.length > 0) this.#changes += 1
    for (const id of changed) {
      for (const channelId of this.#known.get(id)?.spans.keys() ?? []) this.#ofChannels.get(channelId)?.delete(id)
      this.#known.delete(id)
    }
    return changed
  }

  /**
   * Returns the loaded users who are or were subscribed to the channel: everybody who may see something because of
   * that.
   */
  everSubscribed(channelId: ChannelId): ReadonlySet<UserId> {
    return this.#ofChannels.get(channelId) ?? NO_USERS
  }

  isIn(audience: Audience, userId: UserId, eventId: EventId, allPublicChannels: boolean): boolean {
    switch (audience.to) {
      case 'everyone':
        return true
      case 'members':
        return !this.#wasGuest(userId, eventId)
      case 'roles':
        return audience.roles.includes(this.roleOf(userId, eventId))
      case 'users':
        return audience.userIds.includes(userId)
      case 'channel':
        return (
          (this.wasSubscribed(userId, audience.channelId, eventId) &&
            (!audience.received || this.received(userId, audience.received))) ||
          (allPublicChannels && audience.isPublic && !this.#wasGuest(userId, eventId))
        )
      case 'recipients':
        return (
          !this.#wasGuest(userId, eventId) &&
          this.received(userId, audience) &&
          (audience.among?.includes(userId) ?? true)
        )
      case 'any':
        return audience.of.some((one) => this.isIn(one, userId, eventId, allPublicChannels))
      case 'difference':
        return (
          this.isIn(audience.of, userId, eventId, allPublicChannels) &&
          !this.isIn(audience.without, userId, eventId, allPublicChannels)
        )
      case 'nobody':
        return false
      default:
        return audience satisfies never
    }
  }

  /**
   * Whether the user was subscribed to the channel when the message, or any message up to another one, was sent to it.
   */
  received(
    userId: UserId,
    { channelId, messageId, upTo = messageId }: { channelId: ChannelId; messageId: MessageId; upTo?: MessageId },
  ): boolean {
    const spans = this.#known.get(userId)?.spans.get(channelId)
    if (!spans) return false
    return spans.some((span) => wasReceivedIn(span, messageId, upTo))
  }

  wasSubscribed(userId: UserId, channelId: ChannelId, eventId: EventId): boolean {
    const spans = this.#known.get(userId)?.spans.get(channelId)
    if (!spans) return false
    return spans.some((span) => span.afterEventId < eventId && (span.toEventId === null || eventId <= span.toEventId))
  }

  /** Returns the user's role at the event's position. */
  roleOf(userId: UserId, eventId: EventId): Role {
    return roleAt(this.#known.get(userId)?.roles ?? NOBODY, eventId)
  }

  #wasGuest(userId: UserId, eventId: EventId): boolean {
    return isGuest(this.roleOf(userId, eventId))
  }
}

/** Returns the users whose subscriptions, role or activity an event changed. */
function changedBy(event: LoggedEvent['event'], audience: Audience): readonly UserId[] {
  if (event.type === 'realm_user' && event.op === 'update') {
    return 'role' in event.person || 'is_active' in event.person ? [event.person.user_id as UserId] : []
  }
  const isOwn = event.type === 'subscription' && (event.op === 'add' || event.op === 'remove')
  return isOwn && audience.to === 'users' ? audience.userIds : []
}
