import { BareClient } from './bare-client.ts'
import { Crowd } from './crowd.ts'

export interface FanOutInput {
  /** Processes that are polled in turn; the first one gets the message. */
  readonly urls: readonly string[]
  readonly polls: number
  readonly rounds: number
  /** Values of Authorization: the polling accounts, and the sender. */
  readonly receivers: readonly string[]
  readonly sender: string
  /** Form that sends a message to the receivers. */
  readonly form: string
}

export interface FanOutResult {
  /** For each round: from the send's request to the last byte of the last poll's answer. */
  readonly lastByteMs: readonly number[]
  /** From the send's request to its answer. */
  readonly sendMs: readonly number[]
  /** Response times of another client that sends one request after the other meanwhile. */
  readonly othersMs: readonly number[]
}

/** Parks `polls` GET /events requests, each with its own event queue, sends one message, and waits for all answers. */
export async function measureFanOut(input: FanOutInput): Promise<FanOutResult> {
  const { urls, polls, rounds, receivers, sender, form } = input
  const clients = urls.map((url) => new BareClient(url))
  const [client] = clients
  if (!client) throw new Error('there is no process')
  const crowd = await Crowd.open(clients, receivers, polls)
  const [lastByteMs, sendMs, othersMs]: [number[], number[], number[]] = [[], [], []]
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const allAnswered = await crowd.park()
    const start = performance.now()
    await client.call('POST', '/api/v1/messages', sender, form)
    const sent = performance.now()
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        const { ms } = await client.call('GET', '/health', sender)
        if (round > 0) othersMs.push(ms)
      }
    })()
    await allAnswered()
    const end = performance.now()
    isOver = true
    await others
    if (round === 0) continue
    sendMs.push(sent - start)
    lastByteMs.push(end - start)
  }
  await crowd.close()
  for (const one of clients) one.close()
  return { lastByteMs, sendMs, othersMs }
}
