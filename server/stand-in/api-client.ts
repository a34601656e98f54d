/** For API calls of the tests themselves, separate from those of the client under test. */

/** A raw answer of the API. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  readonly body: any
}

export type Parameters = Readonly<Record<string, unknown>>

export interface Login {
  readonly email: string
  readonly api_key: string
  readonly user_id: number
}

type Send = (url: string, init: RequestInit) => Promise<Pick<Response, 'status' | 'headers' | 'text'>>

/** The stand-in ignores requests of this client: no failures, no limits, no journal. */
export const OWN_USER_AGENT = 'ParleyTesting/1'

/**
 * Calls the API as one account. Encodes parameters like existing clients: strings unchanged, everything else as JSON.
 */
export class ApiClient {
  readonly email: string
  readonly apiKey: string
  readonly userId: number
  protected readonly url: string
  readonly #send: Send
  readonly #userAgent: string

  constructor(url: string, login: Login, send: Send = fetch, userAgent = OWN_USER_AGENT) {
    this.url = url
    this.email = login.email
    this.apiKey = login.api_key
    this.userId = login.user_id
    this.#send = send
    this.#userAgent = userAgent
  }

  /** Value of `Authorization`, for requests of the client under test. */
  get authorization(): string {
    return basic(this.email, this.apiKey)
  }

  get(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.request('GET', path, parameters)
  }
  post(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.request('POST', path, parameters)
  }
  patch(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.request('PATCH', path, parameters)
  }
  delete(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.request('DELETE', path, parameters)
  }

  /** @param path below /api/v1 */
  async request(method: string, path: string, parameters: Parameters, init: RequestInit = {}): Promise<Answer> {
    const form = encode(parameters)
    const isQuery = method === 'GET' || method === 'HEAD'
    const url = `${this.url}/api/v1${path}${isQuery && form.size > 0 ? `?${form}` : ''}`
    const response = await this.#send(url, {
      method,
      headers: { Authorization: this.authorization, 'User-Agent': this.#userAgent },
      ...(!isQuery && form.size > 0 && { body: form }),
      ...init,
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  /** Same as `post`, `get` and so on, but throws if the call fails; for calls that are not under test. */
  async must(
    method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
    path: string,
    parameters: Parameters = {},
  ): Promise<Answer['body']> {
    const { status, body } = await this.request(method, path, parameters)
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
}

export function basic(email: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
}

/** Encodes strings unchanged, everything else as JSON. */
export function encode(parameters: Parameters): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}
