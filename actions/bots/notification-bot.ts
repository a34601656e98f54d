import type { Database } from '../../db/database.ts'
import type { Readers } from '../../db/repositories.ts'
import { type Clock, unixSeconds } from '../../domain/clock.ts'
import { type Actor, asActor } from '../../permissions/actor.ts'

/**
 * The account that sends notices of the server. No other account can have its address, because it belongs to no host.
 */
const NOTIFICATION_BOT = { email: 'notification-bot@parley.invalid', fullName: 'Notification Bot' } as const

/**
 * Called at server start, so that every client knows the account. Nobody is told later, because it is in no list of
 * accounts.
 */
export async function makeNotificationBot(db: Database, clock: Clock): Promise<void> {
  if (await find(db.read)) return
  await db.transaction(async (tx) => {
    if (!(await find(tx))) await tx.users.insertSystemBot(NOTIFICATION_BOT, unixSeconds(clock))
  })
}

/** Returns the account with which the server itself sends. */
export async function notificationBot(read: Pick<Readers, 'users'>): Promise<Actor> {
  const bot = await find(read)
  if (!bot) throw new Error('the server has not made its notification bot')
  return asActor(bot)
}

async function find(read: Pick<Readers, 'users'>) {
  return (await read.users.systemBots()).find(({ email }) => email === NOTIFICATION_BOT.email)
}
