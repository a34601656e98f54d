import type { Audience } from '../domain/events/audience.ts'
import type { UserId } from '../domain/ids.ts'
import type { Audiences } from './audience.ts'
import type { Queue } from './event-queue.ts'

/**
 * Queues with a parked poll, indexed by whom an event may concern: with 10,000 of them, checking each queue for every
 * event takes longer than everything else.
 */
export class ParkedQueues {
  readonly #all = new Set<Queue>()
  readonly #byUser = new Map<UserId, Set<Queue>>()
  /** Queues that get events of public channels without a subscription. */
  readonly #ofAllPublic = new Set<Queue>()

  get size(): number {
    return this.#all.size
  }

  add(queue: Queue): void {
    const { userId, descriptor } = queue
    this.#all.add(queue)
    this.#byUser.set(userId, (this.#byUser.get(userId) ?? new Set()).add(queue))
    if (descriptor.allPublicChannels) this.#ofAllPublic.add(queue)
  }

  delete(queue: Queue): void {
    const ofUser = this.#byUser.get(queue.userId)
    ofUser?.delete(queue)
    if (ofUser?.size === 0) this.#byUser.delete(queue.userId)
    this.#all.delete(queue)
    this.#ofAllPublic.delete(queue)
  }

  /** Returns a snapshot of the list, which does not change when polls are parked or answered. */
  all(): Queue[] {
    return [...this.#all]
  }

  of(userId: UserId): ReadonlySet<Queue> | undefined {
    return this.#byUser.get(userId)
  }

  /** Adds all queues whose users `audiences` has loaded and who may see one of the events. It may add others too. */
  concernedBy(events: Iterable<{ readonly audience: Audience }>, audiences: Audiences, into: Set<Queue>): void {
    for (const { audience } of events) {
      if (into.size === this.#all.size) return
      this.#collect(audience, audiences, into)
    }
  }

  #collect(audience: Audience, audiences: Audiences, into: Set<Queue>): void {
    switch (audience.to) {
      case 'everyone':
      case 'members':
      case 'roles':
        for (const queue of this.#all) into.add(queue)
        break
      case 'users':
        this.#collectUsers(audience.userIds, into)
        break
      case 'channel':
        this.#collectUsers(audiences.everSubscribed(audience.channelId), into)
        if (audience.isPublic) for (const queue of this.#ofAllPublic) into.add(queue)
        break
      case 'recipients':
        this.#collectUsers(audience.among ?? audiences.everSubscribed(audience.channelId), into)
        break
      case 'any':
        for (const one of audience.of) this.#collect(one, audiences, into)
        break
      case 'difference':
        this.#collect(audience.of, audiences, into)
        break
      case 'nobody':
        break
      default:
        audience satisfies never
    }
  }

  #collectUsers(userIds: Iterable<UserId>, into: Set<Queue>): void {
    for (const id of userIds) for (const queue of this.#byUser.get(id) ?? []) into.add(queue)
  }
}
