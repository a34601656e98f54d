import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { EventQueues } from '../events/queues.ts'
import type { Answers } from './traffic/answers.ts'
import type { Bodies, BodyRefusal } from './traffic/bodies.ts'
import type { ConnectionRefusal, Connections } from './traffic/connections.ts'
import type { Turns } from './traffic/turns.ts'

let ofProcess: Registry | undefined

/**
 * Memory, event loop and garbage collection: one registry for all servers of a process, because its observers never
 * end.
 */
function processRegistry(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

interface UnderWay {
  readonly connections: Connections
  readonly bodies: Bodies
  readonly answers: Answers
  readonly turns: Turns
}

/** Metrics of GET /metrics: answers by operation and status, event queues, and the process. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #answers: Histogram<'operation' | 'status'>
  readonly #queuesEnded: Counter<'reason'>
  readonly #refused: Counter<'what' | 'reason'>
  /** Series by operation and status, because finding one by its labels costs more than counting. */
  readonly #series = new Map<string, Map<number, Histogram.Internal<'operation' | 'status'>>>()

  constructor(queues: EventQueues) {
    processRegistry()
    this.#answers = new Histogram({
      name: 'parley_answer_seconds',
      help: 'Time from request to answer, by operation and HTTP status. Parked polls are not in it.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
      registers: [this.#registry],
    })
    this.#queuesEnded = new Counter({
      name: 'parley_event_queues_ended_total',
      help: 'Event queues that ended because nobody asked for them (idle), or were too far behind the log (behind).',
      labelNames: ['reason'],
      registers: [this.#registry],
    })
    this.#refused = new Counter({
      name: 'parley_refused_total',
      help: 'Connections closed because there were too many (of all, of an address, of an account), and bodies given up because they came too slowly (slow) or their account or address has too many (full).',
      labelNames: ['what', 'reason'],
      registers: [this.#registry],
    })
    const queueGauge = new Gauge({
      name: 'parley_event_queues',
      help: 'Event queues that this process has served, and polls parked on them.',
      labelNames: ['state'],
      registers: [this.#registry],
      collect: () => {
        const { queues: all, parked } = queues.counts
        queueGauge.set({ state: 'all' }, all)
        queueGauge.set({ state: 'parked' }, parked)
      },
    })
    const memoryGauge = new Gauge({
      name: 'parley_event_memory_bytes',
      help: 'Newest events of the log in memory (tail), and what was made of them for clients (forms); estimated.',
      labelNames: ['part'],
      registers: [this.#registry],
      collect: () => {
        const { tail, forms } = queues.memory
        memoryGauge.set({ part: 'tail' }, tail)
        memoryGauge.set({ part: 'forms' }, forms)
      },
    })
  }

  queuesEnded(reason: 'idle' | 'behind', count: number): void {
    this.#queuesEnded.inc({ reason }, count)
  }

  refused(what: 'connection' | 'body', reason: ConnectionRefusal | BodyRefusal): void {
    this.#refused.inc({ what, reason })
  }

  /** Reports the work in progress from now on. */
  watch({ connections, bodies, answers, turns }: UnderWay): void {
    const connectionGauge = new Gauge({
      name: 'parley_connections',
      help: 'Open connections, and those on which nobody has shown credentials yet (unknown).',
      labelNames: ['state'],
      registers: [this.#registry],
      collect() {
        const { all, unknown } = connections.counts
        connectionGauge.set({ state: 'all' }, all)
        connectionGauge.set({ state: 'unknown' }, unknown)
      },
    })
    const bodyGauge = new Gauge({
      name: 'parley_body_bytes',
      help: 'Bodies of requests in memory.',
      registers: [this.#registry],
      collect: () => {
        bodyGauge.set(bodies.held)
      },
    })
    const answerGauge = new Gauge({
      name: 'parley_unread_answer_bytes',
      help: 'Larger answers in memory that their clients have not taken yet.',
      registers: [this.#registry],
      collect: () => {
        answerGauge.set(answers.held)
      },
    })
    const requestGauge = new Gauge({
      name: 'parley_requests',
      help: 'Requests that are worked on (running), and that wait because their account or all have too many (waiting).',
      labelNames: ['state'],
      registers: [this.#registry],
      collect: () => {
        const { running, waiting } = turns.counts
        requestGauge.set({ state: 'running' }, running)
        requestGauge.set({ state: 'waiting' }, waiting)
      },
    })
  }

  answered(operation: string, status: number, seconds: number): void {
    let ofOperation = this.#series.get(operation)
    if (!ofOperation) {
      ofOperation = new Map()
      this.#series.set(operation, ofOperation)
    }
    let series = ofOperation.get(status)
    if (!series) {
      series = this.#answers.labels({ operation, status })
      ofOperation.set(status, series)
    }
    series.observe(seconds)
  }

  async text(): Promise<string> {
    const texts = await Promise.all([processRegistry(), this.#registry].map((registry) => registry.metrics()))
    return texts.join('')
  }
}
