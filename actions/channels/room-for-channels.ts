import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { hasRoom } from '../../domain/share.ts'
import { hasRole } from '../../domain/users/roles.ts'
import type { Actor } from '../../permissions/actor.ts'
import { accountsOfCreator } from '../users/accounts-of-person.ts'

/** Maximum bytes of long descriptions and group settings of all channels. Everybody gets these with the channels. */
const MAX_BYTES = 8 * 2 ** 20
/** Shorter ones are like the rest of a channel, and do not count. */
const LONG_BYTES = 1000

/** Returns the bytes of the channel that count. */
export function roomOf({ groupSettings, renderedDescription }: Pick<Channel, 'groupSettings' | 'renderedDescription'>) {
  const bytes = JSON.stringify(groupSettings).length + Buffer.byteLength(renderedDescription)
  return bytes < LONG_BYTES ? 0 : bytes
}

/**
 * Shorter descriptions and lists are always possible.
 *
 * @throws {BadRequestError} if channels have too much of these already (SEC-SHARE-1)
 */
export async function refuseWithoutRoom(tx: Tx, actor: Actor, creatorId: UserId | null, more: number): Promise<void> {
  if (more <= 0) return
  const held = { most: MAX_BYTES, heldBy: await tx.channels.longBytes(LONG_BYTES) }
  const holders = await accountsOfCreator(tx, creatorId)
  if (hasRoom(held, holders, more, hasRole(actor.role, 'administrator'))) return
  throw new BadRequestError('Descriptions and settings of channels are already as long as they may be together.')
}
