import { setImmediate } from 'node:timers/promises'
import { chunksOf } from '../../domain/chunks.ts'
import type { BareClient } from './bare-client.ts'

interface Member {
  readonly client: BareClient
  readonly account: string
  readonly id: string
  lastEventId: number
}

const MESSAGES = encodeURIComponent('["message"]')
const WANTED = `event_types=${MESSAGES}&fetch_event_types=${MESSAGES}`

/** Event queues for messages, each with its own poll. */
export class Crowd {
  readonly #clients: readonly BareClient[]
  readonly #members: readonly Member[]

  private constructor(clients: readonly BareClient[], members: readonly Member[]) {
    this.#clients = clients
    this.#members = members
  }

  /** @param accounts values of Authorization; the queues are spread over them and over the clients */
  static async open(clients: readonly BareClient[], accounts: readonly string[], count: number): Promise<Crowd> {
    const members: Member[] = []
    for (let made = 0; made < count; made += 1) {
      const account = accounts[made % accounts.length] ?? ''
      const client = clients[made % clients.length]
      if (!client) throw new Error('nobody polls')
      const { text } = await client.call('POST', '/api/v1/register', account, WANTED)
      const { queue_id: id = '', last_event_id: lastEventId = -1 } = JSON.parse(text)
      members.push({ client, account, id, lastEventId })
    }
    return new Crowd(clients, members)
  }

  /** Polls every queue, and waits until all polls are parked. Returns a function that waits until all are answered. */
  async park(): Promise<() => Promise<unknown>> {
    const answers: Promise<number>[] = []
    // If all connections were opened at once, the last would wait longer for their request than a server allows.
    for (const some of chunksOf(this.#members, 500)) {
      answers.push(...some.map((member) => this.#poll(member)))
      while ((await this.#parked()) < answers.length) await setImmediate()
    }
    return () => Promise.all(answers)
  }

  async #parked(): Promise<number> {
    const [{ account } = { account: '' }] = this.#members
    let all = 0
    for (const client of this.#clients) {
      const { text } = await client.call('GET', '/metrics', account)
      all += Number(/parley_event_queues\{state="parked"\} (\d+)/.exec(text)?.[1])
    }
    return all
  }

  /** @returns the number of events */
  async #poll(member: Member, more = ''): Promise<number> {
    const path = `/api/v1/events?queue_id=${member.id}&last_event_id=${member.lastEventId}${more}`
    const { text } = await member.client.call('GET', path, member.account)
    const { events = [] } = JSON.parse(text) as { events?: { id: number }[] }
    member.lastEventId = events.at(-1)?.id ?? member.lastEventId
    return events.length
  }

  /** Fetches everything that one queue has, without waiting for more. @returns the number of events */
  async catchUp(): Promise<number> {
    const [first] = this.#members
    let all = 0
    for (let some = 1; first && some > 0; all += some) some = await this.#poll(first, '&dont_block=true')
    return all
  }

  /** Deletes the queues, because an account may have only 1,000. */
  async close(): Promise<void> {
    for (const { client, id, account } of this.#members) {
      await client.call('DELETE', `/api/v1/events?queue_id=${id}`, account)
    }
  }
}
