import type { Tx } from '../../db/repositories.ts'
import type { StoredChannelGroups } from '../../domain/channels/channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { hasRoom } from '../../domain/share.ts'
import { hasRole } from '../../domain/users/roles.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accountsOfCreator } from '../users/accounts-of-person.ts'

/** Maximum bytes of long group settings of all channels. Everybody gets these with the channels. */
const MAX_SETTINGS_BYTES = 8 * 2 ** 20
/** Shorter settings are like the rest of a channel, and do not count. */
const LONG_SETTINGS_BYTES = 1000

/** Returns the bytes of the settings that count. */
export function roomOfSettings(settings: StoredChannelGroups): number {
  const bytes = JSON.stringify(settings).length
  return bytes < LONG_SETTINGS_BYTES ? 0 : bytes
}

/**
 * Shorter lists are always possible.
 *
 * @throws {BadRequestError} if settings of channels list too many users and groups already (SEC-SHARE-1)
 */
export async function refuseWithoutRoomForSettings(
  tx: Tx,
  actor: Actor,
  creatorId: UserId | null,
  more: number,
): Promise<void> {
  if (more <= 0) return
  const held = { most: MAX_SETTINGS_BYTES, heldBy: await tx.channels.settingsBytes(LONG_SETTINGS_BYTES) }
  const holders = await accountsOfCreator(tx, creatorId)
  if (hasRoom(held, holders, more, hasRole(actor.role, 'administrator'))) return
  throw new BadRequestError('Settings of channels already list as many users and groups as they may.')
}
