import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Any name but localhost may lead anywhere. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost'
  return LOOPBACK.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}
