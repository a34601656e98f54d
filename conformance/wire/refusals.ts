import type { ErrorAnswer, Operation } from './contract.ts'
import type { Exchange } from './http.ts'

/** A refusal of an operation that the server sent. */
export interface Refusal extends ErrorAnswer {
  readonly operation: Operation
  readonly exchange: Exchange
}

/** `add-reaction: 400 REACTION_ALREADY_EXISTS` */
export function nameOf({ id }: Operation, { status, code }: ErrorAnswer): string {
  return `${id}: ${status} ${code}`
}

/**
 * Records the refusals in a run, regardless of what the requests were for: those that the contract lists, and those
 * that it does not.
 */
export class Refusals {
  /** The first of each, by name. */
  readonly #seen = new Map<string, Refusal>()

  /** The refusal in an answer; undefined if it is none, has no code, or belongs to no operation. */
  note(exchange: Exchange, operation: Operation | undefined): Refusal | undefined {
    const { status, body } = exchange
    const code: unknown = body?.code
    if (operation === undefined || status < 400 || typeof code !== 'string') return undefined
    const refusal = { operation, status, code, exchange }
    const name = nameOf(operation, refusal)
    if (!this.#seen.has(name)) this.#seen.set(name, refusal)
    return refusal
  }

  /** The first exchange with this refusal. */
  first(operation: Operation, answer: ErrorAnswer): Exchange | undefined {
    return this.#seen.get(nameOf(operation, answer))?.exchange
  }
}

/** How far the contract lists a refusal: exactly, its code with another status, or not even the code. */
export function listing({ operation, status, code }: Refusal): 'listed' | 'other status' | 'other code' {
  const sameCode = operation.errors.filter((one) => one.code === code)
  if (sameCode.length === 0) return 'other code'
  return sameCode.some((one) => one.status === status) ? 'listed' : 'other status'
}

/**
 * Whether the server itself failed; a listed refusal of 501 and above reports the failure of another service
 * (ERR-HTTP-4).
 */
export function isServerFailure(operation: Operation | undefined, { status, body }: Exchange): boolean {
  if (status <= 500) return status === 500
  return !operation?.errors.some((one) => one.status === status && one.code === body?.code)
}
