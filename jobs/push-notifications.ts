import type { Database } from '../db/database.ts'
import type { PushCursor } from '../db/repositories/pushed-messages.ts'
import { ApiError } from '../domain/errors.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import {
  MAX_BYTES_BEHIND,
  MAX_EVENTS_BEHIND,
  MAX_NOTIFICATION_AGE_SECONDS,
  PUSHED_KEPT_SECONDS,
} from '../domain/limits.ts'
import type { Turn } from './lease.ts'
import { PushMail, type PushServices } from './push-mail.ts'
import { pushOfEvent } from './push-of-event.ts'
import type { Job } from './runner.ts'

/** Events that may concern devices. */
const TYPES: readonly LogEvent['type'][] = ['message', 'update_message_flags', 'delete_message']

/**
 * The first and the longest pause after a failure of the push service, so that it is not called again for each message.
 */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

const FORGOTTEN_A_TRANSACTION = 500

type Given = Omit<PushServices, 'turn'>

/**
 * Follows the log, and tells devices about new messages and about messages to stop showing: docs/push.md. If the push
 * service fails, the cursor stays, and the log serves as the list of waiting notifications. Notifications that have
 * waited too long are skipped.
 */
export function pushNotifications(given: Given): Job {
  const { db, clock, log } = given
  /** Whether there may be something to do, and the earliest time for it, both known without a query. */
  let mayBeBehind = true
  let notBeforeMs = 0
  let pauseMs = FIRST_PAUSE_MS
  let followedMs = Number.NEGATIVE_INFINITY
  db.onCommitted((events) => {
    mayBeBehind ||= events.some(({ event }) => TYPES.includes(event.type))
  })
  return {
    name: 'push-notifications',
    everyMs: LONGEST_PAUSE_MS,
    isDueAtStart: true,
    async isDue() {
      if (!mayBeBehind || clock.monotonic() < notBeforeMs || db.read.organization.isDeactivated) return false
      // If nobody has a device, the cursor moves only now and then. So it does not keep the log from being trimmed, and
      // messages cost no extra write.
      if (clock.monotonic() - followedMs >= LONGEST_PAUSE_MS) return true
      mayBeBehind = await hasDevices(db)
      return mayBeBehind
    },
    wakesUp: {
      next: async () =>
        mayBeBehind && !db.read.organization.isDeactivated
          ? (clock.now() + Math.max(0, notBeforeMs - clock.monotonic())) / 1000
          : undefined,
      after: [...TYPES, 'realm_reactivated'],
    },
    async run(turn) {
      mayBeBehind = false
      try {
        await follow(given, turn)
        pauseMs = FIRST_PAUSE_MS
        followedMs = clock.monotonic()
      } catch (err) {
        mayBeBehind = true
        const retryMs = pauseMs
        notBeforeMs = clock.monotonic() + retryMs
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
        if (!(err instanceof ApiError)) throw err
        if (turn.signal.aborted) return
        log.warn({ code: err.code, retryMs }, 'push service failed; notifications wait')
      }
    },
  }
}

async function follow(given: Given, turn: Turn): Promise<void> {
  const { db, log } = given
  const services: PushServices = { ...given, turn }
  const cursor = await presentCursor(services)
  if (!cursor) return
  const mail = new PushMail(services, cursor)
  let tooOld = 0
  while (!turn.signal.aborted) {
    const page = await db.read.events.page(mail.position.eventId)
    if (page.length === 0) break
    for (const { id, width, type, payload, audience } of page) {
      if (turn.signal.aborted) return
      if (TYPES.includes(type)) {
        const event = JSON.parse(payload) as LogEvent
        const isOld =
          event.type === 'message' && event.message.timestamp < db.read.organization.now - MAX_NOTIFICATION_AGE_SECONDS
        if (isOld) tooOld += 1
        else await pushOfEvent(services, mail, event, audience)
      }
      await mail.finished(id + width - 1)
    }
    await mail.flush()
  }
  if (tooOld > 0) log.warn({ messages: tooOld }, 'notifications not sent: they had waited for too long')
  await forgetShown(services)
}

/** Whether a device can be told about messages, or shows any. */
async function hasDevices({ read: { pushedMessages } }: Pick<Database, 'read'>): Promise<boolean> {
  return (await pushedMessages.hasOwners()) || (await pushedMessages.showAny())
}

/** Returns where to continue; undefined if nobody has a device, because then nothing waits. */
async function presentCursor({ db, turn, log }: PushServices): Promise<PushCursor | undefined> {
  const stored = await db.read.pushedMessages.cursor()
  const { eventId: head } = await db.read.events.head()
  const jump = async () => {
    if (stored?.eventId !== head)
      await turn.transaction((tx) => tx.pushedMessages.moveCursor({ eventId: head, userId: 0 }))
  }
  if (!stored || !(await hasDevices(db))) {
    await jump()
    return undefined
  }
  const isBehind =
    head - stored.eventId > MAX_EVENTS_BEHIND || (await db.read.events.bytesAfter(stored.eventId)) > MAX_BYTES_BEHIND
  if (!isBehind) return stored
  log.warn({ events: head - stored.eventId }, 'notifications not sent: they are too far behind')
  await jump()
  return undefined
}

/** Old notifications need not be removed any more. */
async function forgetShown({ db, turn }: PushServices): Promise<void> {
  const before = db.read.organization.now - PUSHED_KEPT_SECONDS
  let forgotten = FORGOTTEN_A_TRANSACTION
  while (forgotten === FORGOTTEN_A_TRANSACTION && !turn.signal.aborted) {
    if (!(await db.read.pushedMessages.hasBefore(before))) return
    forgotten = await turn.transaction((tx) => tx.pushedMessages.deleteBefore(before, FORGOTTEN_A_TRANSACTION))
  }
}
