import { sendByNode } from '../conformance/wire/node-sender.ts'
import type { DemoCredentials } from './first-start.ts'
import { type Answer, ApiClient as Client, type Login, type Parameters } from './stand-in/api-client.ts'

/** A client for people, so that messages it sends are marked as read. */
const USER_AGENT = 'ZulipTerminal/0.7.0'

/** The events of a queue, without their ids. */
export interface Heard {
  /** Those since the last call, at once. */
  (): Promise<Answer['body'][]>
  /** Waits for more until there are enough. */
  until(isEnough: (events: Answer['body'][]) => boolean): Promise<Answer['body'][]>
}

/** Calls the API as one account; has additions for tests of the server. */
export class ApiClient extends Client {
  constructor(url: string, login: Login) {
    super(url, login, sendByNode, USER_AGENT)
  }

  /** The same account on another server, restored from a backup of this one. */
  at(url: string): ApiClient {
    return new ApiClient(url, { email: this.email, api_key: this.apiKey, user_id: this.userId })
  }

  /** Registers a queue. */
  async listen(event_types: readonly string[], more: Parameters = {}): Promise<Heard> {
    const queue = await this.must('POST', '/register', { event_types, fetch_event_types: [], ...more })
    const { queue_id } = queue
    let { last_event_id } = queue
    const news = async (poll: Parameters): Promise<Answer['body'][]> => {
      const { events } = await this.must('GET', '/events', { queue_id, last_event_id, ...poll })
      return events.map(({ id, ...event }: Answer['body']) => {
        last_event_id = id
        return event
      })
    }
    const until: Heard['until'] = async (isEnough) => {
      const all: Answer['body'][] = []
      while (!isEnough(all)) all.push(...(await news({})).filter(({ type }) => type !== 'heartbeat'))
      return all
    }
    return Object.assign(() => news({ dont_block: true }), { until })
  }

  /** Sends to a channel or to these people. @returns the message ID */
  async send(to: string | number | readonly ApiClient[], content = 'x', more: Parameters = {}): Promise<number> {
    const place = Array.isArray(to)
      ? { type: 'direct', to: to.map(({ userId }) => userId) }
      : { type: 'channel', to, topic: 't' }
    return (await this.must('POST', '/messages', { ...place, content, ...more })).id
  }

  /** Returns the newest messages that match, oldest first, with raw content. */
  async newest(narrow: readonly unknown[] = [], more: Parameters = {}): Promise<Answer['body'][]> {
    const page = { anchor: 'newest', num_before: 1000, num_after: 0, narrow, apply_markdown: false }
    return (await this.must('GET', '/messages', { ...page, ...more })).messages
  }

  /** POST /user_uploads with one file, in a browser's format. */
  async upload(
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    type = 'application/octet-stream',
  ): Promise<Answer> {
    const body = new FormData()
    body.append('file', new File([content], name, { type }))
    return this.request('POST', '/user_uploads', {}, { body })
  }

  /** GET of a path outside /api/v1, without processing. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { Authorization: this.authorization, ...(init.headers as Record<string, string>) }
    return fetch(`${this.url}${path}`, { ...init, headers })
  }
}

/** Clients of the accounts of an organization, by the keys of its credentials. */
export function accountsOf(url: string, credentials: DemoCredentials | undefined): (key: string) => ApiClient {
  return (key) => {
    const login = credentials?.users[key]
    if (!login) throw new Error(`the organization has no account '${key}'`)
    return new ApiClient(url, login)
  }
}
