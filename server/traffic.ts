import { Bodies } from './bodies.ts'
import type { Config } from './config.ts'
import { Connections } from './connections.ts'
import type { Metrics } from './metrics.ts'

/** What is under way between this server and its clients. */
export class Traffic {
  readonly connections: Connections
  readonly bodies: Bodies

  constructor({ traffic: limits, trustProxy }: Pick<Config, 'traffic' | 'trustProxy'>, metrics: Metrics) {
    // Behind a proxy all connections have one address.
    const perAddress = trustProxy ? Number.POSITIVE_INFINITY : limits.connections.perAddress
    this.connections = new Connections({ ...limits.connections, perAddress }, (why) =>
      metrics.refused('connection', why),
    )
    this.bodies = new Bodies(limits, (why) => metrics.refused('body', why))
    metrics.watch(this)
  }
}
