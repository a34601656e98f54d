import type { UserId } from '../domain/ids.ts'
import type { Queue } from './event-queue.ts'

/** All queues of this process, by ID and by owner: ten thousand accounts have at least one each. */
export class KnownQueues {
  readonly #byId = new Map<string, Queue>()
  readonly #byOwner = new Map<UserId, Set<Queue>>()

  get size(): number {
    return this.#byId.size
  }

  add(queue: Queue): void {
    this.#byId.set(queue.id, queue)
    const owned = this.#byOwner.get(queue.userId)
    if (owned) owned.add(queue)
    else this.#byOwner.set(queue.userId, new Set([queue]))
  }

  get(id: string): Queue | undefined {
    return this.#byId.get(id)
  }

  delete(queue: Queue): void {
    this.#byId.delete(queue.id)
    const owned = this.#byOwner.get(queue.userId)
    owned?.delete(queue)
    if (owned?.size === 0) this.#byOwner.delete(queue.userId)
  }

  all(): readonly Queue[] {
    return [...this.#byId.values()]
  }

  of(userId: UserId): readonly Queue[] {
    return [...(this.#byOwner.get(userId) ?? [])]
  }
}
