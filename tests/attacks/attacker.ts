/** A process of its own: `node attacker.ts JSON` carries out one attack. Its parent ends it. */
import { Agent } from 'node:http'
import { setPriority } from 'node:os'
import { attacksOf } from './all.ts'
import { type Ground, seeded } from './attack.ts'

/** Which attack, and against what. */
export interface Order {
  readonly ground: Ground
  readonly seed: number
  readonly variants: number
  /** Position in what `attacksOf` gives. */
  readonly index: number
}

// An attacker has a machine of its own: what it uses of this one must not be measured.
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
  random: seeded(order.seed + order.index),
})
process.exit()
