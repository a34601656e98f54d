import type { Parameter, Schema } from '../wire/contract.ts'

/** Texts that are not of the parameter's type; empty if every text is. */
export function ofWrongType({ schema, isJson, isRaw }: Parameter): string[] {
  if (isRaw) return []
  if (isJson) return ['{"unfinished":', 'no JSON', ...wrongKinds(schema)]
  switch (schema.type) {
    case 'integer':
      return ['abc', '1.5', '[1]']
    case 'boolean':
      return ['maybe', '[]']
    default:
      return []
  }
}

/** JSON of types that the schema does not allow. */
function wrongKinds(schema: Schema): string[] {
  const admitted = new Set(kindsOf(schema))
  if (admitted.size === 0) return []
  const examples: Readonly<Record<string, string>> = { array: '[]', object: '{}', string: '"text"' }
  return Object.entries(examples).flatMap(([kind, text]) => (admitted.has(kind) ? [] : [text]))
}

/** JSON types that the schema allows; empty if it does not say. */
export function kindsOf({ type, anyOf, oneOf, $ref }: Schema): string[] {
  if ($ref !== undefined) return []
  if (type !== undefined) return [type].flat() as string[]
  const branches = (anyOf ?? oneOf ?? []).map(kindsOf)
  return branches.some((kinds) => kinds.length === 0) ? [] : branches.flat()
}

/** A text of the right type that is not one of the listed values; undefined if no values are listed. */
export function unlistedValue({ schema, isJson }: Parameter): string | undefined {
  const { enum: listed } = schema
  if (isJson || listed === undefined) return undefined
  return typeof listed[0] === 'number' ? '987654' : 'conformance_none_of_these'
}

/** Texts just outside the parameter's bounds. */
export function beyondBounds({ schema, isJson }: Parameter): string[] {
  const { minimum, maximum, maxLength, maxItems, minLength, type } = schema
  if (isJson) return maxItems !== undefined && maxItems <= 1000 && isOfIntegers(schema) ? [listOf(maxItems + 1)] : []
  if (type === 'string') {
    return [
      ...(minLength !== undefined && minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
      ...(maxLength !== undefined && maxLength < 100_000 ? ['x'.repeat(maxLength + 1)] : []),
    ]
  }
  return [
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(maximum === undefined || !Number.isSafeInteger(maximum + 1) ? [] : [String(maximum + 1)]),
  ]
}

function isOfIntegers({ items }: Schema): boolean {
  return items?.type === 'integer'
}

function listOf(length: number): string {
  return JSON.stringify(Array.from({ length }, (_, index) => 2_000_000_000 + index))
}
