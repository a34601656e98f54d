import { isDeepStrictEqual } from 'node:util'
import type { RenderedText } from '../actions/messages/render-content.ts'
import { sendDirectNotice, sendMessage } from '../actions/messages/send-message.ts'
import { removeOwn, replaceOwn } from '../actions/own-rows.ts'
import { remindersOf } from '../actions/reminders.ts'
import { SCHEDULED_MESSAGES } from '../actions/scheduled-messages.ts'
import type { Delivery, DeliveryTable } from '../db/repositories/deliveries.ts'
import type { Tx } from '../db/repositories.ts'
import { ApiError } from '../domain/errors.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { reminderContent } from '../domain/messages/reminder.ts'
import type { ScheduledMessage } from '../domain/messages/scheduled-message.ts'
import { widgetOf } from '../domain/messages/widgets.ts'
import { findMessage } from '../permissions/access-message.ts'
import { asActor, presentActor } from '../permissions/actor.ts'
import { withVisibleSenders } from '../permissions/visible-users.ts'
import type { Turn } from './lease.ts'
import { type NoticeServices, render } from './notices.ts'
import type { Job } from './runner.ts'

/** Number of deliveries looked up by one statement. Each is sent in its own transaction. */
const DELIVERIES_A_STATEMENT = 100

/** Sends a delivery and deletes its row in one transaction, so that it is sent once even if the process is killed. */
type Deliver = (turn: Turn, delivery: Delivery) => Promise<void>

/** Sends scheduled messages when they are due. */
export function deliverScheduledMessages(services: NoticeServices): Job {
  return deliveryJob(services, 'scheduled_message', 'scheduled_messages', async (turn, { id, userId }) => {
    const { db } = services
    const scheduled = await db.read.scheduledMessages.get(userId, id)
    const sender = await db.read.users.byId(userId)
    // Its owner may have postponed it since the list was read.
    if (!scheduled || !sender || scheduled.deliverAt > db.read.organization.now) return
    if (!sender.isActive) {
      await turn.transaction((tx) => fail(tx, userId, scheduled))
      return
    }
    const writer = asActor(sender)
    const rendered = await render(services, writer, scheduled.content)
    try {
      await turn.transaction(async (tx) => {
        if (!tx.organization.isDeactivated && (await isUnchanged(tx, userId, scheduled)))
          await send(tx, userId, scheduled, rendered)
      })
    } catch (err) {
      if (!(err instanceof ApiError)) throw err
      const reason = await render(services, writer, failureNotice(err))
      await turn.transaction((tx) => fail(tx, userId, scheduled, reason))
    }
  })
}

/** Sends reminders as the notification bot. */
export function deliverReminders(services: NoticeServices): Job {
  return deliveryJob(services, 'reminder', 'reminders', async (turn, { id, userId }) => {
    const { db } = services
    const reminder = await db.read.reminders.get(userId, id)
    const user = await db.read.users.byId(userId)
    if (!reminder || !user) return
    if (!user.isActive) {
      await turn.transaction((tx) => replaceOwn(tx, userId, remindersOf(userId), { ...reminder, hasFailed: true }))
      return
    }
    const target = await findMessage(db.read, asActor(user), reminder.messageId)
    const [shown] = await withVisibleSenders(db.read, user, services.site, target ? [target] : [])
    const notice = await render(services, asActor(user), reminderContent(shown?.message, reminder.note))
    await turn.transaction(async (tx) => {
      if (tx.organization.isDeactivated || !(await tx.reminders.get(userId, id))) return
      // The user was deactivated meanwhile; the reminder fails at the next turn.
      const to = await tx.users.byId(userId)
      if (!to?.isActive) return
      await removeOwn(tx, userId, remindersOf(userId), id)
      await sendDirectNotice(tx, { to, ...notice })
    })
  })
}

function deliveryJob(
  { db }: NoticeServices,
  table: DeliveryTable,
  eventType: 'scheduled_messages' | 'reminders',
  deliver: Deliver,
): Job {
  // Nothing is sent while the organization is deactivated. Everything is sent later, as after a downtime of the server.
  const next = async () => (db.read.organization.isDeactivated ? undefined : db.read.deliveries.next(table))
  return {
    name: `deliver-${eventType.replaceAll('_', '-')}`,
    everyMs: 60_000,
    isDueAtStart: true,
    wakesUp: { next, after: [eventType, 'realm_reactivated'] },
    async run(turn) {
      let last: Pick<Delivery, 'at' | 'id'> = { at: -1, id: 0 }
      const faults: unknown[] = []
      for (;;) {
        const due = await db.read.deliveries.due(table, db.read.organization.now, last, DELIVERIES_A_STATEMENT)
        for (const delivery of due) {
          if (turn.signal.aborted || db.read.organization.isDeactivated) return
          // A failed delivery does not block the others; it is tried again.
          await deliver(turn, delivery).catch((err: unknown) => {
            if (turn.signal.aborted) throw err
            faults.push(err)
          })
          last = delivery
        }
        if (due.length < DELIVERIES_A_STATEMENT) break
      }
      // Logs one line for all of them, because a full disk may make a thousand fail.
      if (faults.length > 0)
        throw new Error(`${faults.length} of ${table} not sent at their time`, { cause: faults[0] })
    },
  }
}

/** Whether nobody has changed, deleted or sent it since. What has been changed waits for the next turn. */
async function isUnchanged(tx: Tx, userId: UserId, scheduled: ScheduledMessage): Promise<boolean> {
  return !scheduled.hasFailed && isDeepStrictEqual(await tx.scheduledMessages.get(userId, scheduled.id), scheduled)
}

async function send(
  tx: Tx,
  userId: UserId,
  { id, destination, content, client, isReadBySender }: ScheduledMessage,
  { rendered, alertedUserIds }: RenderedText,
): Promise<void> {
  const sender = await presentActor(tx, userId)
  await removeOwn(tx, userId, SCHEDULED_MESSAGES, id)
  await sendMessage(tx, sender, {
    destination:
      destination.kind === 'channel'
        ? { kind: 'channel', channel: destination.channelId as ChannelId, topic: destination.topic }
        : { kind: 'direct', recipients: destination.userIds },
    content,
    rendered,
    alertedUserIds,
    client,
    isReadBySender,
    widget: widgetOf(content),
    local: undefined,
  })
}

/** Keeps it, so that its owner can change or delete it. The notification bot tells active owners the reason. */
async function fail(tx: Tx, userId: UserId, scheduled: ScheduledMessage, notice?: RenderedText): Promise<void> {
  if (!(await isUnchanged(tx, userId, scheduled))) return
  await replaceOwn(tx, userId, SCHEDULED_MESSAGES, { ...scheduled, hasFailed: true })
  const to = await tx.users.byId(userId)
  if (notice && to?.isActive) await sendDirectNotice(tx, { to, ...notice })
}

function failureNotice({ message }: ApiError): string {
  const fence = '`'.repeat(Math.max(2, ...(message.match(/`+/g) ?? []).map((run) => run.length)) + 1)
  return `A message that you had scheduled could not be sent at its time:\n\n${fence}text\n${message}\n${fence}`
}
