import type { Tx } from '../../db/repositories.ts'
import type { LogEvent } from '../../domain/events/log-event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { User } from '../../domain/users/user.ts'
import { announceToSelf } from '../announce-to-self.ts'

type BotEvent = Extract<LogEvent, { type: 'realm_bot' }>

/** Tells the owner of a bot and all administrators. */
export async function announceToManagers(tx: Tx, { botOwnerId }: User, event: BotEvent): Promise<void> {
  const administrators = await tx.users.administratorIds()
  const userIds = botOwnerId === null ? administrators : [...new Set([botOwnerId, ...administrators])]
  tx.events.append(event, { to: 'users', userIds })
}

/** Tells the former and the new owner who owns the bot now, except administrators, who manage it before and after. */
export async function announceToOwners(tx: Tx, bot: User, ownerId: UserId): Promise<void> {
  const administrators = await tx.users.administratorIds()
  const isTold = (id: UserId | null): id is UserId => id !== null && !administrators.includes(id)
  if (isTold(bot.botOwnerId)) {
    announceToSelf(tx, bot.botOwnerId, { type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } })
  }
  const [managed] = await tx.bots.byIds([bot.id])
  if (isTold(ownerId) && managed) announceToSelf(tx, ownerId, { type: 'realm_bot', op: 'add', bot: managed })
  const person = { user_id: bot.id, bot_owner_id: ownerId }
  tx.events.append({ type: 'realm_user', op: 'update', person }, { to: 'everyone' })
}
