import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import type { Running } from '../../scripts/bench/processes.ts'
import type { Battlefield } from './ground.ts'

/** A request: when it was sent, since the beginning, and how long it took. */
interface Waited {
  readonly atMs: number
  readonly ms: number
}

/** What the others noticed of an attack. */
export interface Effect {
  readonly requests: number
  /** From the moment when a request was due to its last byte; a request that failed took forever. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** What took longest, in the order in which it was sent. */
  readonly slowest: readonly Waited[]
  /** The most resident memory meanwhile. */
  readonly peakMiB: number
  /** Of the processors' time, what a hypervisor gave to other machines. */
  readonly stolenMs: number
  readonly isAlive: boolean
}

/** Below what the accounts that read are allowed together. */
const EVERY_MS = 33
/** This many of the slowest requests are reported. */
const SLOWEST = 8
/** Longer is as good as never. */
const GIVE_UP_MS = 10_000

/**
 * Reads one message again and again, by the clock whatever the answers do, from the first moment until `ended`.
 * The connections are kept, like those of clients that are already there.
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

/** Since the machine started, of all processors, in steps of 10 ms. */
async function stolenMs(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  return Number(line.split(/\s+/)[8]) * 10
}
