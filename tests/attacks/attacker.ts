/** A process of its own: `node attacker.ts JSON` runs one attack. The parent process ends it. */
import { Agent } from 'node:http'
import { setPriority } from 'node:os'
import { Random } from '../../server/random-testing.ts'
import { attacksOf } from './all.ts'
import type { Ground } from './attack.ts'

/** Which attack to run, and against what. */
export interface Order {
  readonly ground: Ground
  readonly seed: number
  readonly variants: number
  /** Index in the result of `attacksOf`. */
  readonly index: number
}

// A real attacker has another machine, so its use of this one must not count.
setPriority(10)
const order = JSON.parse(process.argv[2] ?? '') as Order
const attack = attacksOf(order.seed, order.variants)[order.index]
if (!attack) throw new Error(`there is no attack ${order.index}`)
const end = new AbortController()
process.on('disconnect', () => process.exit())
process.on('message', () => end.abort())
await attack.run({
  ...order.ground,
  agent: new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }),
  signal: end.signal,
  random: new Random(order.seed + order.index),
})
process.exit()
