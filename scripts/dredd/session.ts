import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { validRequest } from '../../conformance/acts/valid-request.ts'
import { type Account, LeftOutError, operationNamed, requestOf } from '../../conformance/deployment/account.ts'
import { Deployment, type Remains } from '../../conformance/deployment/deployment.ts'
import { makeScene, type Scene } from '../../conformance/deployment/scene.ts'
import { bareContext } from '../../conformance/kernel/bare-context-testing.ts'
import { type Operation, readContract } from '../../conformance/wire/contract.ts'
import { curlScript } from '../../conformance/wire/curl.ts'
import { ExchangeFeed } from '../../conformance/wire/exchange-feed.ts'
import { fetchOptions, Http, type Login, type Request } from '../../conformance/wire/http.ts'
import { jsonIn } from '../../conformance/wire/json.ts'
import { textIn } from '../../conformance/wire/node-sender.ts'
import { Pace } from '../../conformance/wire/pace.ts'
import { Refusals } from '../../conformance/wire/refusals.ts'

/** Maximum number of characters of an answer in a reason. */
const mostShown = 500

/** Options that the hooks get in the variable PARLEY_DREDD. */
export interface SessionOptions {
  readonly url: string
  readonly logins: readonly Login[]
  /** Path of the file for the {@link SessionReport}. */
  readonly report: string
}

export interface OperationResult {
  readonly operation: string
  readonly outcome: 'exercised' | 'failed' | 'left out'
  /** Why it failed or was left out. */
  readonly reason?: string
  /** A script that repeats the failed request. */
  readonly curl?: string
}

export interface SessionReport {
  readonly results: readonly OperationResult[]
  /** Things that were created and could not be removed. */
  readonly remains: Remains
}

/** The part of Dredd's transactions that the hooks use. */
export interface Transaction {
  /** Its name in Dredd's output. */
  id: string
  readonly origin: { readonly actionName: string }
  readonly request: { method: string; headers: Record<string, string>; body: string }
  /** Path and query, from the root of the server. */
  fullPath: string
  readonly expected: { readonly headers: Record<string, string> }
  readonly real?: {
    readonly statusCode: number
    readonly headers: Record<string, string>
    readonly body: string
    /** Encoding of the body here: `base64` if it is not text. */
    readonly bodyEncoding?: string
  }
  /** Dredd's own result. */
  readonly test?: { readonly valid?: boolean; readonly message?: string }
  skip?: boolean
  fail?: string
}

interface Asked {
  readonly operation: Operation
  readonly request: Request
  readonly answer: string | undefined
}

/**
 * The work of Dredd's hooks. The conformance suite knows a valid request for each operation and the schema of its
 * answer, and creates and removes what requests need.
 */
export class Session {
  readonly #deployment: Deployment
  readonly #pace: Pace
  readonly #options: SessionOptions
  readonly #scenes: { current: Promise<Scene> | undefined } = { current: undefined }
  readonly #asked = new Map<Transaction, Asked>()
  readonly #results: OperationResult[] = []

  private constructor(deployment: Deployment, pace: Pace, options: SessionOptions) {
    this.#deployment = deployment
    this.#pace = pace
    this.#options = options
  }

  /** @throws {CannotRunError}, {UnreachableError} like {@link Deployment.open} */
  static async open(options: SessionOptions): Promise<Session> {
    const pace = new Pace()
    const contract = readContract()
    const feed = new ExchangeFeed(contract)
    const http = new Http(options.url, pace, { onExchange: (exchange) => feed.announce(exchange) })
    const deployment = await Deployment.open(http, contract, options.logins, new Refusals(), feed)
    return new Session(deployment, pace, options)
  }

  /** Turns the transaction into a request that must succeed, or notes in it why that is impossible. */
  async prepare(transaction: Transaction): Promise<void> {
    const operation = operationNamed(this.#deployment.contract, transaction.origin.actionName)
    try {
      const reason = this.#deployment.notAsked(operation)
      if (reason !== undefined) throw new LeftOutError(reason)
      const asked = await this.#ask(operation)
      await this.#write(asked.request, transaction)
      this.#asked.set(transaction, asked)
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err)
      if (err instanceof LeftOutError) {
        transaction.skip = true
        this.#results.push({ operation: operation.id, outcome: 'left out', reason })
      } else {
        transaction.fail = reason
        this.#scenes.current = undefined // its state must not affect the next operation
        this.#results.push({ operation: operation.id, outcome: 'failed', reason })
      }
    }
  }

  async #ask(operation: Operation): Promise<Asked> {
    if (await this.#isAlone()) this.#scenes.current ??= this.#sceneOfOne()
    const t = bareContext(this.#deployment, `dredd/${operation.id}`, this.#scenes)
    const { as, values, answer } = await validRequest(t, operation)
    const isOpen = operation.minimumRole === 'anonymous'
    const caller = isOpen ? { as: undefined, caller: 'nobody' } : { as: as.login, caller: as.role }
    return { operation, request: { ...requestOf(operation, values), ...caller }, answer }
  }

  /** Whether all credentials are of one person, who cannot create others. */
  async #isAlone(): Promise<boolean> {
    return this.#people.length === 1 && !(await this.#deployment.canMakeUsers())
  }

  get #people(): Account[] {
    return this.#deployment.given.filter(({ isBot, role }) => !isBot && role !== 'guest')
  }

  /** A scene in which one person plays both: enough if only the success of a request matters. */
  #sceneOfOne(): Promise<Scene> {
    const person = async (): Promise<Account> => this.#people[0] as Account
    const nobodyElse = (): never => assert.fail('nobody else is asked for')
    return makeScene({
      user: person,
      userIfAny: person,
      nobodyElse,
      channel: (one) => this.#deployment.newChannel(one),
    })
  }

  async #write(request: Request, transaction: Transaction): Promise<void> {
    const url = new URL(this.#deployment.url + request.path)
    const sent = new globalThis.Request(url, fetchOptions(request))
    transaction.id = `${request.method} ${url.pathname}${url.search} as ${request.caller}`
    transaction.fullPath = url.pathname + url.search
    transaction.request.method = request.method
    const { 'User-Agent': dredd = 'Dredd' } = transaction.request.headers
    transaction.request.headers = {}
    sent.headers.forEach((value, name) => {
      transaction.request.headers[name] = value
    })
    transaction.request.headers['user-agent'] = dredd
    transaction.request.body = await sent.text()
    await this.#pace.turn(request.as?.email ?? '')
  }

  /**
   * Notes the rate limits in an answer, and what the request created or removed. Dredd compares content types as text,
   * so a charset is added to the expected type.
   */
  answered(transaction: Transaction): void {
    const { expected, real } = transaction
    const asked = this.#asked.get(transaction)
    if (asked === undefined || real === undefined) return
    const { statusCode: status, headers, body } = real
    const answer = { status, headers: new Headers(headers), body: jsonIn(body) }
    this.#pace.learn(asked.request.as?.email ?? '', answer)
    const { request } = asked
    const now = performance.now()
    const url = this.#deployment.url + request.path
    this.#deployment.feed.announce({ ...answer, url, request, text: body, sentAt: now, answeredAt: now })
    const type = headers['content-type'] ?? ''
    const mediaType = type.replace(/;.*/, '').trim().toLowerCase()
    if (mediaType === expected.headers['Content-Type']) expected.headers['Content-Type'] = type
  }

  /** Checks the answer against the contract, and adds what Dredd itself found. */
  judge(transaction: Transaction): void {
    const asked = this.#asked.get(transaction)
    if (asked === undefined) return
    const { operation, request } = asked
    const reason = this.#problems(asked, transaction).join('\n')
    if (reason === '') {
      this.#results.push({ operation: operation.id, outcome: 'exercised' })
      return
    }
    transaction.fail = reason
    const curl = curlScript({ url: this.#deployment.url + request.path, request })
    this.#results.push({ operation: operation.id, outcome: 'failed', reason, curl })
  }

  #problems({ operation, answer }: Asked, { real, test }: Transaction): string[] {
    if (real === undefined) return ['no answer came']
    const { statusCode: status, bodyEncoding } = real
    const body = bodyEncoding === 'base64' ? textIn(Buffer.from(real.body, 'base64')) : real.body
    const text = shown(body)
    if (status < 200 || status > 299) return [`HTTP ${status}: ${text}`]
    const problem = this.#deployment.answers.problem(operation, status, jsonIn(body))
    return [
      ...(problem === undefined ? [] : [problem]),
      ...(body === '' ? ['the answer is empty'] : []),
      ...(answer === undefined || answer === body ? [] : [`the answer is not "${shown(answer)}" but "${text}"`]),
      ...(test?.valid === false ? [`Dredd: ${(test.message ?? '').trim()}`] : []),
    ]
  }

  async close(): Promise<void> {
    const report: SessionReport = { results: this.#results, remains: await this.#deployment.cleanUp() }
    writeFileSync(this.#options.report, JSON.stringify(report))
  }
}

function shown(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}
