import { BadNarrowError, BadRequestError } from '../errors.ts'

export type NarrowOperator = 'channel' | 'topic' | 'dm' | 'sender'

/** One condition of a narrow, its operator under its present name. */
export interface NarrowTerm {
  readonly operator: NarrowOperator
  readonly operand: string | number | readonly number[]
  readonly negated: boolean
}

/** Every name an operator goes by (facts/narrow.md, "Operators"). */
const OPERATORS: Readonly<Record<string, NarrowOperator>> = {
  channel: 'channel',
  stream: 'channel',
  topic: 'topic',
  dm: 'dm',
  'pm-with': 'dm',
  pm_with: 'dm',
  sender: 'sender',
}

/** A term as it comes: an object, or the older pair. */
export type RawNarrowTerm =
  | readonly unknown[]
  | { readonly operator?: unknown; readonly operand?: unknown; readonly negated?: unknown }

/** Reads a narrow in either encoding (facts/narrow.md, "Encoding"). What the words mean here and now is resolved later. */
export function parseNarrow(raw: readonly RawNarrowTerm[]): NarrowTerm[] {
  return raw.map((term, index) => {
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
  })
}

function checkedOperand(operator: NarrowOperator, operand: unknown, index: number): NarrowTerm['operand'] {
  const name = `narrow[${index}]["operand"]`
  if (operand === undefined) throw new BadRequestError(`${name} field is missing`)
  if (typeof operand === 'string') return operand
  if (operator === 'topic') throw new BadRequestError(`${name} is not a string`)
  if (Number.isSafeInteger(operand)) return operand as number
  if (operator === 'dm' && Array.isArray(operand) && operand.every((one) => Number.isSafeInteger(one))) {
    return operand as number[]
  }
  throw new BadRequestError(`${name} is not a string or integer${operator === 'dm' ? ' list' : ''}`)
}
