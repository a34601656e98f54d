import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { PushCursor, PushedMessage } from '../db/repositories/pushed-messages.ts'
import { chunksOf } from '../domain/chunks.ts'
import type { Clock } from '../domain/clock.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { DEVICES_TOLD, NOTIFICATIONS_A_REQUEST } from '../domain/limits.ts'
import type { Message } from '../domain/messages/message.ts'
import type { Addressed } from '../domain/notifications/notification.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { encryptedFor } from '../push/encrypt.ts'
import type { PushRelay, RelayNotification } from '../push/relay.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Turn } from './lease.ts'

export interface PushServices {
  readonly db: Database
  readonly relay: PushRelay
  readonly secrets: Secrets
  readonly site: Site
  readonly clock: Clock
  readonly log: Logger
  readonly turn: Turn
}

/**
 * Notifications that wait for the next request to the push service, and the position of the log up to which everything
 * is done.
 */
export class PushMail {
  readonly #services: PushServices
  #notifications: RelayNotification[] = []
  #shown: PushedMessage[] = []
  #removed: PushedMessage[] = []
  /** The stored position, and the one after the waiting notifications are handed over. */
  #stored: PushCursor
  #reached: PushCursor

  constructor(services: PushServices, cursor: PushCursor) {
    this.#services = services
    this.#stored = cursor
    this.#reached = cursor
  }

  /** Position including the waiting notifications. */
  get position(): PushCursor {
    return this.#reached
  }

  /**
   * Tells devices of a user about a message, except devices that have registered since it was sent. The accounts of an
   * event must come by ascending ID.
   */
  async show(
    userId: UserId,
    { id: messageId, sentAt }: Pick<Message, 'id' | 'sentAt'>,
    notification: (to: Addressed) => object,
  ): Promise<void> {
    if (await this.#write(userId, notification, sentAt)) this.#shown.push({ userId, messageId })
    this.#reached = { ...this.#reached, userId }
    await this.#flushFull()
  }

  /** Tells devices of a user to stop showing these messages. */
  async remove(
    userId: UserId,
    messages: readonly PushedMessage[],
    notification: (to: Addressed) => object,
  ): Promise<void> {
    await this.#write(userId, notification)
    this.#removed.push(...messages)
    await this.#flushFull()
  }

  /** Records that everything up to this event is done, including the waiting notifications. */
  async finished(eventId: number): Promise<void> {
    this.#reached = { eventId, userId: 0 }
    await this.#flushFull()
  }

  /**
   * Hands over the waiting notifications, and moves the cursor. If the process is killed in between, everything is
   * handed over again.
   *
   * @throws {ApiError} if the push service cannot be reached
   */
  async flush(): Promise<void> {
    const [notifications, shown, removed] = [this.#notifications, this.#shown, this.#removed]
    const { db, turn } = this.#services
    ;[this.#notifications, this.#shown, this.#removed] = [[], [], []]
    for (const some of chunksOf(notifications, NOTIFICATIONS_A_REQUEST)) await this.#handOver(some)
    const [from, to] = [this.#stored, this.#reached]
    if (from.eventId === to.eventId && from.userId === to.userId && removed.length === 0) return
    await turn.transaction(async (tx) => {
      await tx.pushedMessages.insert(shown, db.read.organization.now)
      await tx.pushedMessages.delete(removed)
      await tx.pushedMessages.moveCursor(to)
    })
    this.#stored = to
  }

  async #flushFull(): Promise<void> {
    if (this.#notifications.length >= NOTIFICATIONS_A_REQUEST) await this.flush()
  }

  /** @returns whether there was a device to tell */
  async #write(userId: UserId, notification: (to: Addressed) => object, registeredBy = Infinity): Promise<boolean> {
    const { db, secrets, site } = this.#services
    const text = notification({ realm_url: site.publicUrl, realm_name: db.read.organization.name, user_id: userId })
    const targets = (await db.read.devices.targetsOf(userId)).filter((target) => target.registeredAt <= registeredBy)
    const pauses = new Pauses({ party: userId })
    for (const { tokenId, keyId, encryptedKey } of targets.slice(-DEVICES_TOLD)) {
      const key = Buffer.from(secrets.decrypt(encryptedKey), 'base64')
      const encrypted_data = await encryptedFor(key, text)
      this.#notifications.push({ token_id: tokenId, push_key_id: keyId, encrypted_data })
      await pauses.letOthers()
    }
    return targets.length > 0
  }

  /** If the push service refuses a device, it still tells the other devices of the request. */
  async #handOver(notifications: readonly RelayNotification[]): Promise<void> {
    const { db, relay, turn, log } = this.#services
    try {
      await relay.notify(db.read.organization.uuid, notifications, turn.signal)
    } catch (err) {
      if (!(err instanceof BadRequestError)) throw err
      const [only, ...others] = notifications
      if (others.length > 0) for (const one of notifications) await this.#handOver([one])
      else log.warn({ tokenId: only?.token_id }, 'push service refused a device, which is not told')
    }
  }
}
