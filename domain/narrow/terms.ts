import { BadNarrowError, BadRequestError, NarrowCombinationError } from '../errors.ts'

export type NarrowOperator =
  | 'channel'
  | 'channels'
  | 'topic'
  | 'dm'
  | 'dm-including'
  | 'group-pm-with'
  | 'sender'
  | 'mentions'
  | 'is'
  | 'has'
  | 'in'
  | 'near'
  | 'id'
  | 'with'
  | 'search'

/** A term of a narrow, with the present name of its operator. */
export interface NarrowTerm {
  readonly operator: NarrowOperator
  readonly operand: string | number | readonly number[]
  readonly negated: boolean
}

/** All names of operators. */
const OPERATORS: Readonly<Record<string, NarrowOperator>> = {
  channel: 'channel',
  stream: 'channel',
  channels: 'channels',
  streams: 'channels',
  topic: 'topic',
  dm: 'dm',
  'pm-with': 'dm',
  pm_with: 'dm',
  'dm-including': 'dm-including',
  'group-pm-with': 'group-pm-with',
  group_pm_with: 'group-pm-with',
  sender: 'sender',
  mentions: 'mentions',
  is: 'is',
  has: 'has',
  in: 'in',
  near: 'near',
  id: 'id',
  with: 'with',
  search: 'search',
}

/** Operand types. */
const OPERANDS: Readonly<Record<NarrowOperator, 'string' | 'string or integer' | 'string or integer list'>> = {
  channel: 'string or integer',
  channels: 'string',
  topic: 'string',
  dm: 'string or integer list',
  'dm-including': 'string or integer',
  'group-pm-with': 'string or integer',
  sender: 'string or integer',
  mentions: 'string or integer',
  is: 'string',
  has: 'string',
  in: 'string',
  near: 'string or integer',
  id: 'string or integer',
  with: 'string or integer',
  search: 'string',
}

/** A term as sent: an object, or the older pair. */
export type RawNarrowTerm =
  | readonly unknown[]
  | { readonly operator?: unknown; readonly operand?: unknown; readonly negated?: unknown }

/**
 * Maximum number of terms. People write three or four, and each has a cost for every message that is checked
 * (SEC-NARROW-2).
 */
export const MAX_NARROW_TERMS = 20

/**
 * Parses a narrow in either encoding, objects or arrays, and removes duplicate terms. Operands are resolved later.
 *
 * @throws {BadNarrowError} if there are more than 20 different terms
 */
export function parseNarrow(raw: readonly RawNarrowTerm[]): NarrowTerm[] {
  const terms = raw.map(parseTerm)
  const withs = terms.filter((term) => term.operator === 'with')
  if (withs.length > 1) throw new NarrowCombinationError('with can be used only once in a narrow')
  if (withs.some((term) => term.negated)) throw new NarrowCombinationError('with cannot be negated')
  const different = new Map(terms.map((term) => [JSON.stringify(term), term]))
  if (different.size > MAX_NARROW_TERMS) {
    throw new NarrowCombinationError(
      `narrow has ${different.size} different conditions, at most ${MAX_NARROW_TERMS} are allowed`,
    )
  }
  return [...different.values()]
}

function parseTerm(term: RawNarrowTerm, index: number): NarrowTerm {
  const isPair = Array.isArray(term)
  if (isPair && term.length !== 2) throw new BadRequestError(`narrow[${index}] is not a pair of operator and operand`)
  const { operator, operand, negated } = isPair
    ? { operator: term[0] as unknown, operand: term[1] as unknown, negated: false }
    : (term as { operator?: unknown; operand?: unknown; negated?: unknown })
  if (typeof operator !== 'string') throw new BadRequestError(`narrow[${index}]["operator"] is not a string`)
  const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
  if (!known) throw new BadNarrowError(`unknown operator ${operator}`)
  if (negated !== undefined && typeof negated !== 'boolean') {
    throw new BadRequestError(`narrow[${index}]["negated"] is not a boolean`)
  }
  return { operator: known, operand: checkedOperand(known, operand, index), negated: negated ?? false }
}

function checkedOperand(operator: NarrowOperator, operand: unknown, index: number): NarrowTerm['operand'] {
  const name = `narrow[${index}]["operand"]`
  const wanted = OPERANDS[operator]
  if (operand === undefined) throw new BadRequestError(`${name} field is missing`)
  if (typeof operand === 'string') {
    if (operator === 'search' && operand.trim() === '') throw new BadRequestError(`${name} cannot be blank`)
    return operand
  }
  if (wanted !== 'string' && Number.isInteger(operand)) return checkedId(operator, operand as number)
  if (wanted === 'string or integer list' && Array.isArray(operand) && operand.every(Number.isInteger)) {
    return operand.map((one) => checkedId(operator, one))
  }
  throw new BadRequestError(`${name} is not a ${wanted}`)
}

/** @throws {BadNarrowError} for a number that cannot be an ID (NARROW-12) */
function checkedId(operator: NarrowOperator, id: number): number {
  if (!Number.isSafeInteger(id)) throw new BadNarrowError(`unknown ${operator}: the number is larger than any ID`)
  return id
}
