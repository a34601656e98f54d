import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import type { Running } from '../../scripts/bench/processes.ts'
import type { Battlefield } from './ground.ts'

/** A request: when it was sent, from the beginning, and its duration. */
interface Waited {
  readonly atMs: number
  readonly ms: number
}

/** The effect of an attack on others. */
export interface Effect {
  readonly requests: number
  /** From the moment a request was due to its last byte; a failed request counts as infinite. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** The slowest requests, in the order in which they were sent. */
  readonly slowest: readonly Waited[]
  /** Maximum resident memory meanwhile. */
  readonly peakMiB: number
  /** Processor time that a hypervisor gave to other machines. */
  readonly stolenMs: number
  readonly isAlive: boolean
}

/** Below the rate limits of the reading accounts together. */
const EVERY_MS = 33
/** Number of slowest requests reported. */
const SLOWEST = 8
/** Anything longer counts as never. */
const GIVE_UP_MS = 10_000

/**
 * Reads one message again and again at fixed times, regardless of the answers, until `ended`. Connections are kept
 * open, like those of existing clients.
 */
export async function measure(
  { server, readers, messagePath }: Battlefield,
  ended: (signal: AbortSignal) => Promise<unknown>,
): Promise<Effect> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const url = `${server.url}${messagePath}`
  await Promise.all(readers.map((authorization) => timeOf(url, authorization, agent)))
  const sent: Promise<Waited>[] = []
  const begin = performance.now()
  const end = new AbortController()
  await forgetPeak(server)
  const stolenBefore = await stolenMs()
  const timer = setInterval(() => {
    const authorization = readers[sent.length % readers.length] ?? ''
    const atMs = performance.now() - begin
    sent.push(timeOf(url, authorization, agent).then((ms) => ({ atMs, ms })))
  }, EVERY_MS)
  try {
    await ended(end.signal)
  } finally {
    clearInterval(timer)
    end.abort()
  }
  const all = (await Promise.all(sent)).toSorted((a, b) => a.ms - b.ms)
  agent.destroy()
  const at = (part: number): number => all[Math.min(all.length - 1, Math.floor(all.length * part))]?.ms ?? Number.NaN
  const isAlive = server.child.exitCode === null && server.child.signalCode === null
  return {
    requests: all.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    slowest: all.slice(-SLOWEST).toSorted((a, b) => a.atMs - b.atMs),
    peakMiB: isAlive ? await peakMiB(server) : Number.NaN,
    stolenMs: (await stolenMs()) - stolenBefore,
    isAlive,
  }
}

function timeOf(url: string, authorization: string, agent: Agent): Promise<number> {
  const start = performance.now()
  return new Promise((resolve) => {
    const fail = (): void => resolve(Number.POSITIVE_INFINITY)
    const sent = request(url, { agent, headers: { Authorization: authorization }, timeout: GIVE_UP_MS }, (response) => {
      response.on('error', fail)
      response.on('end', () => (response.statusCode === 200 ? resolve(performance.now() - start) : fail()))
      response.resume()
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', fail)
    sent.end()
  })
}

/** Linux counts the peak from here on. */
async function forgetPeak({ child }: Running): Promise<void> {
  await writeFile(`/proc/${child.pid}/clear_refs`, '5')
}

async function peakMiB({ child }: Running): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/** Since the machine started, for all processors, in steps of 10 ms. */
async function stolenMs(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  return Number(line.split(/\s+/)[8]) * 10
}
