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
    this.#gauge('parley_event_queues', 'Event queues that this process has served, and polls parked on them.', () => ({
      all: queues.counts.queues,
      parked: queues.counts.parked,
    }))
    this.#gauge(
      'parley_event_memory_bytes',
      'Newest events of the log in memory (tail), and what was made of them for clients (forms); estimated.',
      () => queues.memory,
      'part',
    )
  }

  queuesEnded(reason: 'idle' | 'behind', count: number): void {
    this.#queuesEnded.inc({ reason }, count)
  }

  refused(what: 'connection' | 'body', reason: ConnectionRefusal | BodyRefusal): void {
    this.#refused.inc({ what, reason })
  }

  /** Reports the work in progress from now on. */
  watch({ connections, bodies, answers, turns }: UnderWay): void {
    this.#gauge(
      'parley_connections',
      'Open connections, and those on which nobody has shown credentials yet (unknown).',
      () => connections.counts,
    )
    this.#gauge('parley_body_bytes', 'Bodies of requests in memory.', () => bodies.held)
    this.#gauge(
      'parley_unread_answer_bytes',
      'Larger answers in memory that their clients have not taken yet.',
      () => answers.held,
    )
    this.#gauge(
      'parley_requests',
      'Requests that are worked on (running), and that wait because their account or all have too many (waiting).',
      () => turns.counts,
    )
  }

  answered(operation: string, status: number, seconds: number): void {
    this.#answers.observe({ operation, status }, seconds)
  }

  async text(): Promise<string> {
    const texts = await Promise.all([processRegistry(), this.#registry].map((registry) => registry.metrics()))
    return texts.join('')
  }

  /** A gauge of what `read` returns when metrics are asked for: a number, or one for each value of the label. */
  #gauge(name: string, help: string, read: () => number | Readonly<Record<string, number>>, label = 'state'): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect() {
        const found = read()
        if (typeof found === 'number') gauge.set(found)
        else for (const [value, count] of Object.entries(found)) gauge.set({ [label]: value }, count)
      },
    })
  }
}
