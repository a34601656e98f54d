import { EventEmitter, once } from 'node:events'
import { PushRelay } from '../../../conformance/deployment/push-relay.ts'
import type { LoopBlock } from '../../../event-loop/loop-watch.ts'
import { type Running, startServer } from '../processes.ts'

/** Shorter blocks are not reported. */
const MIN_BLOCK_MS = 2

/** A server that reports what blocked its event loop. */
export class WatchedServer {
  readonly #server: Running
  readonly #log: ServerLog

  private constructor(server: Running, log: ServerLog) {
    this.#server = server
    this.#log = log
  }

  static async start(dataFolder: string): Promise<WatchedServer> {
    const log = new ServerLog()
    const environment = {
      PARLEY_WATCH_EVENT_LOOP_MS: String(MIN_BLOCK_MS),
      PARLEY_LOG_LEVEL: 'debug',
      PARLEY_DEVELOPMENT_LOGIN: 'on',
      PARLEY_PUSH_RELAY_URL: (await PushRelay.listen()).url,
    }
    return new WatchedServer(await startServer({ dataFolder, environment, onLog: (line) => log.read(line) }), log)
  }

  get url(): string {
    return this.#server.url
  }

  /** All blocks of the event loop that have not been returned yet. */
  async blocks(): Promise<readonly LoopBlock[]> {
    // The log is read in order, and reports a turn when the next one begins: what it reports at the second of these
    // answers came before the first.
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await fetch(`${this.url}/health`)
      await answer.arrayBuffer()
      await this.#log.tellsOf(answer.headers.get('X-Request-Id') ?? '')
    }
    return this.#log.blocks.splice(0)
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}

class ServerLog {
  readonly blocks: LoopBlock[] = []
  readonly #answered = new Set<string>()
  readonly #lines = new EventEmitter()

  read(line: string): void {
    const entry = line.startsWith('{') ? JSON.parse(line) : { msg: line }
    if (entry.msg === 'event loop held') this.blocks.push({ ...entry, name: entry.work })
    else if (entry.msg === 'request answered') {
      this.#answered.add(entry.requestId)
      this.#lines.emit('answered')
    } else if (entry.msg !== 'server started') console.error(line)
  }

  async tellsOf(requestId: string): Promise<void> {
    while (!this.#answered.has(requestId)) await once(this.#lines, 'answered')
    this.#answered.clear()
  }
}
