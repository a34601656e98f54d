import type { Contract, Operation, Parameter, Role } from '../wire/contract.ts'
import type { Exchange, Http, Login, Pairs, Request } from '../wire/http.ts'
import { isObject } from '../wire/values.ts'

/** Parameters by name: text is sent as it is, undefined is left out, and everything else is sent as JSON. */
export type Values = Readonly<Record<string, unknown>>

/** A request failed that a check needs for its preparation. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError'
  readonly exchange: Exchange
  constructor(operationId: string, exchange: Exchange) {
    super(`${operationId} must succeed here, and was answered ${exchange.status}: ${exchange.text.slice(0, 500)}`)
    this.exchange = exchange
  }
}

/** Thrown if something cannot be asked of this server. */
export class LeftOutError extends Error {
  override readonly name = 'LeftOutError'
}

/** @throws {SetUpError} if the request failed */
export function succeeded(operationId: string, exchange: Exchange): Exchange {
  if (exchange.status !== 200 || exchange.body?.result !== 'success') throw new SetUpError(operationId, exchange)
  return exchange
}

/** How long a long poll may take to end after its queue was deleted. */
const timeToEndMs = 10_000

/** Roles of people in ascending order, with their codes (ROLE-1 to ROLE-5). */
export const roleCodes = { guest: 600, member: 400, moderator: 300, administrator: 200, owner: 100 } as const
export type PersonRole = keyof typeof roleCodes
export const personRoles = Object.keys(roleCodes) as PersonRole[]

export function roleOf(code: unknown): Role {
  return personRoles.find((role) => roleCodes[role] === code) ?? 'member'
}

/** An account of the deployment, through which operations are called. */
export class Account {
  readonly login: Login
  readonly userId: number
  readonly role: Role
  readonly isBot: boolean
  readonly fullName: string
  /** Known for accounts that the suite created. */
  readonly password: string | undefined
  readonly #http: Http
  readonly #contract: Contract

  constructor(
    http: Http,
    contract: Contract,
    login: Login,
    profile: { userId: number; role: Role; isBot: boolean; fullName: string; password?: string | undefined },
  ) {
    this.#http = http
    this.#contract = contract
    this.login = login
    this.userId = profile.userId
    this.role = profile.role
    this.isBot = profile.isBot
    this.fullName = profile.fullName
    this.password = profile.password
  }

  /** The same account after a change of its role. */
  withRole(role: Role): Account {
    return new Account(this.#http, this.#contract, this.login, { ...this, role })
  }

  /** The same account with another API key. */
  withKey(apiKey: string): Account {
    return this.withLogin(this.email, apiKey)
  }

  /** Calls with other credentials. */
  withLogin(email: string, apiKey: string): Account {
    return new Account(this.#http, this.#contract, { ...this.login, email, apiKey }, this)
  }

  get email(): string {
    return this.login.email
  }

  /** How long to wait for an event of this account, in milliseconds. */
  get patienceMs(): number {
    return this.#http.patienceMs
  }

  /** How long to repeat a question whose answer may take time, in milliseconds. */
  get waitMs(): number {
    return this.#http.waitMs
  }

  /** Number of requests that can be sent without waiting for the rate limit. */
  get requestsLeft(): number {
    return this.#http.left(this.email)
  }

  /** Removes parameters that the server's level does not have. */
  known(operationId: string, values: Values): Values {
    const { notThere } = operationNamed(this.#contract, operationId)
    return Object.fromEntries(Object.entries(values).filter(([name]) => !notThere.has(name)))
  }

  async call(operationId: string, values: Values = {}): Promise<Exchange> {
    return this.send(requestOf(operationNamed(this.#contract, operationId), values))
  }

  /** @throws {SetUpError} if the request fails */
  async must(operationId: string, values: Values = {}): Promise<Exchange> {
    return succeeded(operationId, await this.call(operationId, values))
  }

  /**
   * A request that the server may keep waiting.
   *
   * @returns its answer, and `inTime`: that answer, or undefined once the server has kept the request for `limitMs`.
   * Time that the suite waits for rate limits does not count
   */
  wait(
    operationId: string,
    values: Values,
    limitMs: number,
  ): { answer: Promise<Exchange>; inTime: Promise<Exchange | undefined> } {
    const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
    const request = requestOf(operationNamed(this.#contract, operationId), values)
    const kept = { forMs: limitMs, act: () => resolve(undefined) }
    const answer = this.send({ ...request, timeoutMs: Math.ceil(limitMs) + timeToEndMs, kept })
    return { answer, inTime: Promise.race([answer, tooLate]) }
  }

  /** Like `call`, but ignores rate limits: a request refused with 429 is not repeated. */
  callAtOnce(operationId: string): Promise<Exchange> {
    const request = requestOf(operationNamed(this.#contract, operationId), {})
    return this.#http.sendOnce({ ...request, as: this.login, caller: this.role })
  }

  send(request: Omit<Request, 'as' | 'caller'>): Promise<Exchange> {
    return this.#http.send({ ...request, as: this.login, caller: this.isBot ? 'bot' : this.role })
  }
}

export function operationNamed(contract: Contract, operationId: string): Operation {
  const operation = contract.operations.get(operationId)
  if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`)
  return operation
}

/**
 * The request that calls `operation`. Unknown names are sent like its other parameters.
 *
 * @throws {LeftOutError} if the server's level lacks the operation or a parameter, or if an answer lacked a value that
 * this request needs
 */
export function requestOf(operation: Operation, values: Values): Omit<Request, 'as' | 'caller'> {
  if (!operation.isThere) throw new LeftOutError(`the level of this server has no ${operation.id}`)
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && operation.notThere.has(name))
      throw new LeftOutError(`${operation.id} has no \`${name}\` at the level of this server`)
    const isInPath = operation.parameters.some((one) => one.name === name && one.in === 'path')
    if (lacksValue(value) || (isInPath && (value === undefined || value === null)))
      throw new LeftOutError(`no answer has provided a value for \`${name}\` of ${operation.id}`)
  }
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const],
  )
  return requestOfPairs(operation, pairs)
}

/** Whether a number or an element of a list is missing. */
function lacksValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => one === undefined || lacksValue(one))
  return isObject(value) ? Object.values(value).some(lacksValue) : Number.isNaN(value)
}

/** Like `requestOf`, for names that may repeat. Values that do not belong in the path go to query, form or file. */
export function requestOfPairs(operation: Operation, pairs: Pairs): Omit<Request, 'as' | 'caller'> {
  const placeOf = new Map(operation.parameters.map((parameter) => [parameter.name, parameter.in]))
  const fallback: Parameter['in'] = operation.method === 'GET' ? 'query' : 'form'
  const inPlace = (place: Parameter['in']): Pairs => pairs.filter(([name]) => (placeOf.get(name) ?? fallback) === place)
  const ofPath = new Map(inPlace('path'))
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ofPath.get(name) ?? '0'))
  const query = new URLSearchParams(inPlace('query') as [string, string][])
  const [file] = inPlace('file')
  return {
    method: operation.method,
    path: `${path}${query.size > 0 ? `?${query}` : ''}`,
    form: inPlace('form'),
    ...(file && { file: { name: file[0], fileName: 'conformance.txt', content: file[1] } }),
  }
}
