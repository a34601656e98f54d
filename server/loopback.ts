import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { BadRequestError } from '../domain/errors.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Any name except localhost may resolve to anything. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost'
  return LOOPBACK.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Whether the request comes from a program on this machine that addresses it as such. Web pages can also send requests
 * to this machine, and read the answers if they use their own host name.
 */
export function isLocalProgram({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const named = URL.parse(`http://${headers.host}`)?.hostname.replace(/^\[|\]$/g, '')
  return headers.origin === undefined && [named, socket.remoteAddress].every((host = '') => isLoopback(host))
}

/** For answers to developers without credentials. @throws {BadRequestError} */
export function refuseUnlessLocal(request: IncomingMessage): void {
  if (isLocalProgram(request)) return
  throw new BadRequestError('Only programs on this machine that name it by a loopback address may ask')
}
