import type { Registration } from '../db/repositories/devices.ts'
import type { Readers, Tx } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { MAX_DEVICES } from '../domain/limits.ts'
import { checkPushToken, type PushTokenKind, tokenHash } from '../domain/push.ts'
import { announceToSelf } from './announce-to-self.ts'

/** @returns the ID of a new device @throws {BadRequestError} if there are too many (DIFF-PUSH) */
export async function addDevice(tx: Tx, userId: UserId): Promise<number> {
  const known = await tx.devices.of(userId)
  if (Object.keys(known).length >= MAX_DEVICES)
    throw new BadRequestError(`An account has at most ${MAX_DEVICES} devices.`)
  const device_id = await tx.devices.insert(userId)
  announceToSelf(tx, userId, { type: 'device', op: 'add', device_id })
  return device_id
}

/** @throws {BadRequestError} if it is not the caller's own */
export async function removeDevice(tx: Tx, userId: UserId, device_id: number): Promise<void> {
  await deviceOf(tx, userId, device_id)
  await tx.devices.delete(device_id)
  announceToSelf(tx, userId, { type: 'device', op: 'remove', device_id })
}

/**
 * Stores the registration of a device, and tells its owner's clients. @throws {BadRequestError} if it is not the
 * caller's own
 */
export async function registerDevice(tx: Tx, userId: UserId, device_id: number, given: Registration): Promise<void> {
  const { push_key_id: presentKey } = await deviceOf(tx, userId, device_id)
  if (given.token && !given.key && presentKey === null) throw new BadRequestError('The device has no push_key yet')
  await tx.devices.register(device_id, given)
  const { key, token } = given
  announceToSelf(tx, userId, {
    type: 'device',
    op: 'update',
    device_id,
    ...(key && { push_key_id: key.id }),
    ...(token && { push_token_id: token.id, push_token_last_updated_timestamp: token.updatedAt }),
  })
}

/** @throws {BadRequestError} if it is not the caller's own, with the same error as for a device that does not exist */
export async function deviceOf({ devices }: Pick<Readers, 'devices'>, userId: UserId, id: number) {
  const { [id]: device } = await devices.of(userId)
  if (!device) throw new BadRequestError('Invalid device_id')
  return device
}

/** Stores the digest of a token; an existing one stays (PUSH-7). @throws {BadRequestError} */
export async function addPushToken(tx: Tx, userId: UserId, kind: PushTokenKind, token: string): Promise<void> {
  checkPushToken(kind, token)
  const digest = tokenHash(token)
  if (await tx.devices.hasToken(userId, digest, kind)) return
  if ((await tx.devices.countTokens(userId)) >= MAX_DEVICES) {
    throw new BadRequestError(`An account has at most ${MAX_DEVICES} push tokens.`)
  }
  await tx.devices.insertToken(userId, kind, digest)
}

/** @throws {BadRequestError} if the token does not exist */
export async function removePushToken(tx: Tx, userId: UserId, kind: PushTokenKind, token: string): Promise<void> {
  checkPushToken(kind, token)
  if (!(await tx.devices.deleteToken(userId, kind, tokenHash(token)))) throw new BadRequestError('Token does not exist')
}
