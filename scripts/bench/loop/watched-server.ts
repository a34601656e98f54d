import { EventEmitter, once } from 'node:events'
import type { LoopBlock } from '../../../event-loop/loop-watch.ts'
import { startServer } from '../processes.ts'

/** Shorter blocks are not reported. */
const MIN_BLOCK_MS = 2

/** A server that reports what blocked its event loop. */
export interface WatchedServer {
  readonly url: string
  /** All blocks of the event loop that have not been returned yet. */
  blocks(): Promise<readonly LoopBlock[]>
}

export async function startWatchedServer(dataFolder: string): Promise<WatchedServer> {
  const found: LoopBlock[] = []
  const answered = new Set<string>()
  const lines = new EventEmitter()
  const onLog = (line: string): void => {
    const entry = line.startsWith('{') ? JSON.parse(line) : { msg: line }
    if (entry.msg === 'event loop held') found.push({ ...entry, name: entry.work })
    else if (entry.msg === 'request answered') {
      answered.add(entry.requestId)
      lines.emit('answered')
    } else if (entry.msg !== 'server started') console.error(line)
  }
  const environment = { PARLEY_WATCH_EVENT_LOOP_MS: String(MIN_BLOCK_MS), PARLEY_LOG_LEVEL: 'debug' }
  const { url } = await startServer({ dataFolder, environment, onLog })
  const blocks = async (): Promise<readonly LoopBlock[]> => {
    // The log is read in order, and reports a turn when the next one begins: what it reports at the second of these
    // answers came before the first.
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await fetch(`${url}/health`)
      await answer.arrayBuffer()
      while (!answered.has(answer.headers.get('X-Request-Id') ?? '')) await once(lines, 'answered')
      answered.clear()
    }
    return found.splice(0)
  }
  return { url, blocks }
}
