import assert from 'node:assert/strict'
import { type Answer, ApiClient, type Dialect, startParley, type TestServer } from '../../../server/testing.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Twin = 0 | 1

/** Parameters; a value that differs between the twins is a pair made by {@link apart}. */
export type Values = Readonly<Record<string, unknown>>

class Apart {
  readonly values: readonly [unknown, unknown]
  constructor(values: readonly [unknown, unknown]) {
    this.values = values
  }
}

/** A value that differs between the twins. */
export function apart(one: unknown, other: unknown): unknown {
  return new Apart([one, other])
}

/** The value, or path, of a twin. */
function ofTwin(value: unknown, twin: Twin): unknown {
  return value instanceof Apart ? value.values[twin] : value
}

/** Random values, or values of the process, that reveal nothing: keys of queues and files, ports, UUIDs. */
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/(127\.0\.0\.1|localhost):\d+/g, 'http://parley'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/(user_uploads\/(?:temporary\/[^"]*?)?\d+\/)[\w-]+(?=\/)/g, '$1KEY'],
]

function known(text = ''): string {
  return RANDOM.reduce((shown, [pattern, word]) => shown.replaceAll(pattern, word), text)
}

/**
 * Ids of events are positions in a shared log: they reveal that something happened, but not what (docs/security.md).
 */
function withoutPositions(body: Answer['body']): unknown {
  const { last_event_id: _, events, ...rest } = body ?? {}
  if (!Array.isArray(events)) return rest
  return { ...rest, events: events.map(({ id: __, ...event }: { id: number }) => event) }
}

/** A clock that only moves when told to: both twins use it. */
class HeldClock {
  #ms = Date.UTC(2026, 5, 1)
  now(): number {
    return this.#ms
  }
  monotonic(): number {
    return this.#ms
  }
  advance(ms: number): void {
    this.#ms += ms
  }
}

/** Two organizations in which the same people do the same, except for the secrets. */
export class Twins {
  readonly servers: readonly [TestServer, TestServer]
  readonly #clock: HeldClock
  readonly #made = new Map<string, readonly [ApiClient, ApiClient]>()

  private constructor(servers: readonly [TestServer, TestServer], clock: HeldClock) {
    this.servers = servers
    this.#clock = clock
  }

  static async start(dialect: Dialect): Promise<Twins> {
    const clock = new HeldClock()
    const start = () => startParley(dialect, { clock, publicUrl: 'http://parley.example' })
    return new Twins([await start(), await start()], clock)
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop()
  }

  as(who: string, twin: Twin): ApiClient {
    return this.#made.get(who)?.[twin] ?? this.servers[twin].as(who)
  }

  idOf(who: string): number {
    return this.as(who, 0).userId
  }

  /** Creates a member. @param email may differ, where addresses are hidden */
  async make(who: string, email: unknown): Promise<void> {
    const password = 'correct horse'
    await this.must('owner', 'POST', '/users', { email, password, full_name: who })
    const clients = await this.#inBoth(async (twin) => {
      const login = { username: ofTwin(email, twin), password }
      const { api_key, user_id, email: known } = await this.as('owner', twin).must('POST', '/fetch_api_key', login)
      return new ApiClient(this.servers[twin].url, { api_key, user_id, email: known })
    })
    this.#made.set(who, clients)
    assert.equal(clients[0].userId, clients[1].userId)
  }

  /** Gives somebody another address, which is then theirs. */
  async move(who: string, email: unknown): Promise<void> {
    await this.must(who, 'PATCH', '/settings', { email })
    const moved = await this.#inBoth(async (twin) => {
      const { apiKey: api_key, userId: user_id } = this.as(who, twin)
      return new ApiClient(this.servers[twin].url, { api_key, user_id, email: String(ofTwin(email, twin)) })
    })
    this.#made.set(who, moved)
  }

  /** Sends a request to both, where it must succeed. */
  must(
    who: string,
    method: Method,
    path: unknown,
    values: Values = {},
  ): Promise<readonly [Answer['body'], Answer['body']]> {
    return this.#inBoth(async (twin) => {
      const { status, body } = await this.ask(who, twin, method, path, values)
      assert.equal(status, 200, `${who}: ${method} ${ofTwin(path, twin)} answered ${JSON.stringify(body)}`)
      return body
    })
  }

  /** Like `must`, but the request may be refused. */
  async may(who: string, method: Method, path: unknown, values: Values = {}): Promise<void> {
    await this.#inBoth((twin) => this.ask(who, twin, method, path, values))
  }

  async upload(who: string, name: unknown, content: unknown): Promise<readonly [string, string]> {
    return this.#inBoth(async (twin) => {
      const { body } = await this.as(who, twin).upload(String(ofTwin(name, twin)), String(ofTwin(content, twin)))
      return String(body.url)
    })
  }

  ask(who: string, twin: Twin, method: Method, path: unknown, values: Values): Promise<Answer> {
    const own = Object.entries(values).map(([key, value]) => [key, ofTwin(value, twin)])
    return this.as(who, twin).request(method, String(ofTwin(path, twin)), Object.fromEntries(own))
  }

  /** How the answers to `who` for the same request differ; undefined if they are equal byte for byte. */
  async difference(who: string, method: Method, path: unknown, values: Values = {}): Promise<string | undefined> {
    const [one, other] = await this.#inBoth(async (twin) => {
      const { status, body } = await this.ask(who, twin, method, path, values)
      return `${status} ${known(JSON.stringify(withoutPositions(body)))}`
    })
    if (one === other) return undefined
    const at = [...one].findIndex((character, index) => character !== other[index])
    const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 160)
    return `${who}: ${method} ${ofTwin(path, 0)} ${JSON.stringify(values)}\n  ${around(one)}\n  ${around(other)}`
  }

  advance(ms: number): void {
    this.#clock.advance(ms)
  }

  async #inBoth<T>(work: (twin: Twin) => Promise<T>): Promise<readonly [T, T]> {
    return [await work(0), await work(1)]
  }
}
