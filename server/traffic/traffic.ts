import type { Config } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import { Answers } from './answers.ts'
import { Bodies } from './bodies.ts'
import { Connections } from './connections.ts'
import { Turns } from './turns.ts'

/** All connections, bodies and answers between this server and its clients. */
export class Traffic {
  readonly connections: Connections
  readonly bodies: Bodies
  readonly answers: Answers
  readonly turns: Turns

  constructor({ traffic: limits, trustProxy }: Pick<Config, 'traffic' | 'trustProxy'>, metrics: Metrics) {
    // Behind a proxy all connections have one address.
    const perAddress = trustProxy ? Number.POSITIVE_INFINITY : limits.connections.perAddress
    this.connections = new Connections({ ...limits.connections, perAddress }, (why) =>
      metrics.refused('connection', why),
    )
    this.bodies = new Bodies(limits, (why) => metrics.refused('body', why))
    this.answers = new Answers(limits, () => this.turns.proceed())
    this.turns = new Turns(limits.requests, (party) => this.answers.mayHaveMore(party))
    metrics.watch(this)
  }
}
