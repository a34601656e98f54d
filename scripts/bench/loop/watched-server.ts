import { EventEmitter, once } from 'node:events'
import { startServer } from '../processes.ts'

/** Runs in the server: at a signal, prints the longest hold since the last one. Waits until the present hold is recorded. */
const WATCH = `
import { monitorEventLoopDelay } from 'node:perf_hooks'
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('SIGUSR2', () => setTimeout(() => {
  process.stderr.write('held ' + delay.max / 1e6 + '\\n')
  delay.reset()
}, 5))
`

/** A server that tells how long it held its event loop. */
export interface WatchedServer {
  readonly url: string
  /** The longest hold, in ms, since the last call of this. */
  longestHold(): Promise<number>
}

export async function startWatchedServer(dataFolder: string): Promise<WatchedServer> {
  const holds = new EventEmitter<{ hold: [ms: number] }>()
  const onLog = (line: string): void => {
    const [, ms] = /^held (\S+)$/.exec(line) ?? []
    if (ms === undefined) console.error(line)
    else holds.emit('hold', Number(ms))
  }
  const environment = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(WATCH)}` }
  const { url, child } = await startServer({ dataFolder, environment, onLog })
  const longestHold = async (): Promise<number> => {
    const told = once(holds, 'hold')
    child.kill('SIGUSR2')
    const [ms] = await told
    return ms
  }
  return { url, longestHold }
}
