import { BareClient } from './bare-client.ts'
import { Crowd } from './crowd.ts'
import { processorUs, residentMiB } from './usage.ts'

const EVENTS = 500

export interface ParkedInput {
  readonly url: string
  readonly pid: number | undefined
  readonly polls: number
  readonly receivers: readonly string[]
  /** An account that changes something of its own, which no polling account can see; absent: nothing is changed. */
  readonly stranger?: string
}

export interface ParkedResult {
  readonly kibibytesAPoll: number
  /** Processor time of an event and its request, without polls and with them. */
  readonly eventUs: readonly [without: number, withPolls: number]
}

/** Measures the cost of parked polls that get nothing. */
export async function measureParked({ url, pid, polls, receivers, stranger }: ParkedInput): Promise<ParkedResult> {
  const client = new BareClient(url)
  const process = { child: { pid } }
  const change = async (): Promise<number> => {
    if (stranger === undefined) return 0
    const before = processorUs(process)
    for (let count = 0; count < EVENTS; count += 1) {
      await client.call('PATCH', '/api/v1/settings', stranger, `web_font_size_px=${14 + (count % 2)}`)
    }
    return (processorUs(process) - before) / EVENTS
  }
  const crowd = await Crowd.open([client], receivers, polls)
  await change()
  const without = await change()
  const before = residentMiB(process)
  const allAnswered = await crowd.park()
  const kibibytesAPoll = ((residentMiB(process) - before) * 1024) / polls
  const withPolls = await change()
  client.close()
  await allAnswered().catch(() => undefined)
  return { kibibytesAPoll, eventUs: [without, withPolls] }
}

export interface BehindInput {
  readonly url: string
  readonly events: number
  readonly reader: string
  readonly senders: readonly string[]
  readonly form: string
}

/** Measures how many events a second a queue gets that is `events` behind. */
export async function measureBehind({ url, events, reader, senders, form }: BehindInput): Promise<number> {
  const client = new BareClient(url)
  const crowd = await Crowd.open([client], [reader], 1)
  let left = events
  await Promise.all(
    senders.map(async (sender) => {
      for (; left > 0; left -= 1) await client.call('POST', '/api/v1/messages', sender, form)
    }),
  )
  const start = performance.now()
  const seen = await crowd.catchUp()
  const seconds = (performance.now() - start) / 1000
  client.close()
  return seen / seconds
}
