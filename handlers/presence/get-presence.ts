import { unixSeconds } from '../../domain/clock.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { isOffline, statusOf } from '../../domain/users/presence.ts'
import { accessUserByName } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** GET /users/{user_id_or_email}/presence. */
export const getPresence: Handler<'get-presence'> = async ({ input, actor, db, clock, site }) => {
  const user = await accessUserByName(db.read, actor, input.user_id_or_email, hostOf(site))
  if (user.isBot) throw new BadRequestError('Presence is not supported for bot users.')
  const found = db.read.organization.settings.presence_disabled ? undefined : await db.read.presence.of(user.id)
  if (!found) throw new BadRequestError(`No presence data for ${input.user_id_or_email}`)
  const { status, timestamp } = statusOf(found)
  const presence = { status: isOffline(found, unixSeconds(clock)) ? ('offline' as const) : status, timestamp }
  return { presence: { website: presence, aggregated: presence } }
}
