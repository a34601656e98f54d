import { hash } from 'node:crypto'
import { BadRequestError } from './errors.ts'
import { MAX_PUSH_TOKEN_LENGTH } from './limits.ts'

/** Push services of phone makers, whose tokens devices register in the older way. */
export type PushTokenKind = 'fcm' | 'apns'

/** The only kind of key: for libsodium's secretbox. */
const SECRETBOX = 0x31
const KEY_BYTES = 32
const TOKEN_ID_BYTES = 8
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** @throws {BadRequestError} for a token of a wrong length (PUSH-6), or one that Apple cannot have made */
export function checkPushToken(kind: PushTokenKind, token: string): void {
  if (token === '' || token.length > MAX_PUSH_TOKEN_LENGTH) {
    throw new BadRequestError('Empty or invalid length token')
  }
  if (kind === 'apns' && !/^(?:[0-9A-Fa-f]{2})+$/.test(token)) throw new BadRequestError('Invalid APNS token')
}

/** Identifies a token: 64 hexadecimal digits. */
export function tokenHash(token: string): string {
  return hash('sha256', token)
}

/** @throws {BadRequestError} for an application without a name */
export function checkAppId(appId: string): void {
  if (!/^[.a-zA-Z0-9-]+$/.test(appId)) throw new BadRequestError('appid has invalid format')
}

/** Returns the 32 bytes of a key from the client's form. @throws {BadRequestError} */
export function pushKeyOf(given: string): Buffer {
  const bytes = bytesOf('push_key', given)
  if (bytes.length !== KEY_BYTES + 1 || bytes[0] !== SECRETBOX) throw new BadRequestError('Invalid push_key')
  return bytes.subarray(1)
}

/** @throws {BadRequestError} unless it is the base64 ID of a token */
export function checkTokenId(given: string): void {
  if (bytesOf('token_id', given).length !== TOKEN_ID_BYTES) throw new BadRequestError('Invalid token_id')
}

function bytesOf(parameter: string, given: string): Buffer {
  if (!BASE64.test(given)) throw new BadRequestError(`${parameter} is not Base64 encoded`)
  return Buffer.from(given, 'base64')
}
