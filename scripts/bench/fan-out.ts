import { setImmediate } from 'node:timers/promises'
import { BareClient } from './bare-client.ts'

export interface FanOutInput {
  readonly url: string
  readonly polls: number
  readonly rounds: number
  /** Value of Authorization of whoever waits, and of whoever sends. */
  readonly receiver: string
  readonly sender: string
  /** Form that sends a message to the receiver. */
  readonly form: string
}

export interface FanOutResult {
  /** From the send's request to the last byte of the last poll's answer, for each round. */
  readonly lastByteMs: readonly number[]
  /** From the send's request to its own answer. */
  readonly sendMs: readonly number[]
}

/** Parks `polls` requests to GET /events, each with an event queue of its own, sends one message, and waits for all answers. */
export async function measureFanOut(input: FanOutInput): Promise<FanOutResult> {
  const { url, polls, rounds, receiver, sender, form } = input
  const client = new BareClient(url)
  const call = async (method: string, path: string, authorization: string, body = ''): Promise<string> =>
    (await client.call(method, path, authorization, body)).text
  const parked = async (): Promise<number> =>
    Number(/parley_event_queues\{state="parked"\} (\d+)/.exec(await call('GET', '/metrics', receiver))?.[1])

  const queues: { id: string; lastEventId: number }[] = []
  for (let count = 0; count < polls; count += 1) {
    const wanted = `event_types=${encodeURIComponent('["message"]')}&fetch_event_types=${encodeURIComponent('["message"]')}`
    const registered = JSON.parse(await call('POST', '/api/v1/register', receiver, wanted))
    queues.push({ id: registered.queue_id ?? '', lastEventId: registered.last_event_id ?? -1 })
  }
  const lastByteMs: number[] = []
  const sendMs: number[] = []
  // The first one warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const answers = queues.map(async (queue) => {
      const path = `/api/v1/events?queue_id=${queue.id}&last_event_id=${queue.lastEventId}`
      const { events = [] } = JSON.parse(await call('GET', path, receiver)) as { events?: { id: number }[] }
      queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId
    })
    while ((await parked()) < polls) await setImmediate()
    const start = performance.now()
    await call('POST', '/api/v1/messages', sender, form)
    const sent = performance.now()
    await Promise.all(answers)
    if (round === 0) continue
    sendMs.push(sent - start)
    lastByteMs.push(performance.now() - start)
  }
  client.close()
  return { lastByteMs, sendMs }
}
