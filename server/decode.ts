import { isUtf8 } from 'node:buffer'
import { type ApiError, BadRequestError, ConfusingParametersError } from '../domain/errors.ts'
import { onceFor } from '../domain/once-for.ts'

/** How a parameter is decoded from text; `x-decode` of generated/decoded.json. */
export interface DecodeRule {
  readonly in: 'path' | 'query' | 'form'
  /**
   * `string`: unchanged. `json`: parsed. `json-or-string`: parsed if that gives an admitted type, otherwise unchanged.
   *
   * `json-or-verbatim`: same, but a quoted string stays unchanged, with its quotes.
   */
  readonly as: 'string' | 'json' | 'json-or-string' | 'json-or-verbatim'
  /** JSON types of the value; absent if the schema leaves them open. */
  readonly type?: string | readonly string[]
  /**
   * An integer outside of the range of message IDs is not an error, but means the nearest end of the range, as in
   * `anchor`.
   */
  readonly anyInteger?: boolean
  /** Refused if a form contains it twice, because one of the values would be dropped silently. */
  readonly once?: boolean
  /** The operation refuses null bytes itself, with its own message. */
  readonly nullBytes?: boolean
  /**
   * Documented but not supported yet: refused by the engine (server/refused-parameters.ts), or by the handler, which
   * knows what is stored.
   */
  readonly refused?: true | 'by-handler'
  readonly aliases: readonly string[]
}

export interface DecodableOperation {
  readonly 'x-decode': Readonly<Record<string, DecodeRule>>
}

/** A parameter as sent: without percent-encoding, in well-formed Unicode, and without a null byte in its name. */
export type Pair = readonly [name: string, value: string]

export interface Parameters {
  readonly pathParameters: Readonly<Record<string, string>>
  readonly query: readonly Pair[]
  readonly form: readonly Pair[]
}

export interface DecodedInput {
  readonly input: Record<string, unknown>
  /** Names that the operation does not have, each once, in alphabetical order (ENV-11). */
  readonly ignored: readonly string[]
}

/** Maximum number of pairs in a query or form. No operation needs a tenth of that. */
const MAX_PAIRS = 1000
/** Maximum length of a JSON text, in UTF-16 units. */
const MAX_JSON_LENGTH = 1_048_576
const MAX_JSON_DEPTH = 100
/**
 * Deployed servers answer this anchor for "newest", and clients send it back as a number above every message ID. Other
 * integers beyond 2^53 would silently change their values, so they are refused without `anyInteger`.
 */
const ABOVE_ALL_IDS = 10_000_000_000_000_000

/** Text that may be JSON. A test is much cheaper than an exception for every plain word. */
const LIKE_JSON = /^\s*(?:[[{"\d-]|(?:true|false|null)\s*$)/
const NOT_JSON = Symbol('not JSON')

/**
 * Parses a query string (without `?`) or an urlencoded body: `+` is a space, and `x[y]` is a plain name (ENV-1, ENV-2).
 *
 * @param source a body as bytes, or a query string as Node gives it, one character for a byte
 * @throws BadRequestError for malformed percent-encoding, invalid UTF-8, null bytes in names, and too many pairs
 */
export function parsePairs(source: string | Uint8Array): Pair[] {
  const text = textOf(source)
  const pairs: Pair[] = []
  let start = 0
  while (start < text.length) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end > start) {
      if (pairs.length === MAX_PAIRS) throw malformed(`there are more than ${MAX_PAIRS} parameters`)
      const equals = text.indexOf('=', start)
      const nameEnd = equals === -1 || equals > end ? end : equals
      const name = percentDecoded(text.slice(start, nameEnd), undefined)
      pairs.push(checkedPair(name, percentDecoded(text.slice(nameEnd + 1, end), name)))
    }
    start = end + 1
  }
  return pairs
}

/**
 * Checks a pair from elsewhere, such as a multipart body. @throws BadRequestError for ill-formed Unicode, and null
 * bytes in the name
 */
export function checkedPair(name: string, value: string): Pair {
  if (name.includes('\0') || !name.isWellFormed()) throw malformed('a parameter name has a null byte or is not Unicode')
  if (!value.isWellFormed()) throw notUnicode(name)
  return [name, value]
}

/**
 * Combines all parameters into one flat typed input: form before query, the last of repeated names, and the path before
 * both. A path parameter that is sent again counts as unknown. Only names of the contract become properties, so no name
 * can reach a prototype.
 *
 * @throws BadRequestError if a value does not fit its parameter, worded as in ENV-19
 * @throws ConfusingParametersError if a parameter was sent under two of its names (MSG-EDIT-10)
 */
export function decodeInput(operation: DecodableOperation, parameters: Parameters): DecodedInput {
  const reader = readerOf(operation)
  const sent: (Pair | undefined)[] = []
  let ignored: Set<string> | undefined
  for (const pairs of [parameters.query, parameters.form]) {
    for (const pair of pairs) {
      const known = reader.byName.get(pair[0])
      if (known === undefined) {
        ignored ??= new Set()
        ignored.add(pair[0])
        continue
      }
      const before = sent[known.position]
      if (before !== undefined && before[0] !== pair[0]) throw confusing(known, before[0], pair[0])
      if (known.once && before !== undefined && pairs.includes(before)) {
        throw new BadRequestError(`${known.name} was sent more than once: several values go into one, as JSON`)
      }
      sent[known.position] = pair
    }
  }
  const input: Record<string, unknown> = {}
  for (const field of reader.fields) {
    const text = field.in === 'path' ? parameters.pathParameters[field.name] : sent[field.position]?.[1]
    if (text !== undefined) input[field.name] = decodedValue(field, text)
  }
  return { input, ignored: ignored === undefined ? [] : [...ignored].sort() }
}

interface Field extends DecodeRule {
  readonly name: string
  readonly position: number
  /** Empty if the schema leaves the type open. */
  readonly types: readonly string[]
}

interface Reader {
  readonly fields: readonly Field[]
  /** By name and alias, without path parameters, which come only from the path. */
  readonly byName: ReadonlyMap<string, Field>
}

const readerOf = onceFor(compiledReader)

function compiledReader(operation: DecodableOperation): Reader {
  const byName = new Map<string, Field>()
  const fields = Object.entries(operation['x-decode']).map(([name, rule], position): Field => {
    const field: Field = { ...rule, name, position, types: [rule.type ?? []].flat() }
    if (field.in !== 'path') for (const sentAs of [name, ...rule.aliases]) byName.set(sentAs, field)
    return field
  })
  return { fields, byName }
}

function confusing(field: Field, first: string, second: string): ConfusingParametersError {
  return second === field.name
    ? new ConfusingParametersError(second, first)
    : new ConfusingParametersError(first, second)
}

function decodedValue(field: Field, text: string): unknown {
  if (field.as === 'string') return checkedText(text, field)
  // The route admits only digits, and digits with leading zeros are not JSON. A number that is too large becomes one
  // that no ID has, and is unknown in the same way (MSG-GET-8, MSG-GET-10).
  if (field.in === 'path' && field.types[0] === 'integer') return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  if (field.as === 'json') {
    const value = parsedJson(text, field.name)
    if (value === NOT_JSON) throw notOfType(field)
    const isTwice = typeof value === 'string' && isForStructures(field.types)
    return checked(isTwice ? encodedTwice(value, field.name) : value, field)
  }
  if (!LIKE_JSON.test(text)) return checkedText(text, field)
  const value = parsedJson(text, field.name)
  const isMeant = typeof value === 'string' ? field.as === 'json-or-string' : admits(field.types, value)
  return value !== NOT_JSON && isMeant ? checked(value, field) : checkedText(text, field)
}

/** Some clients encode a list or an object twice, so that `narrow` is `"[]"` with the quotes. */
function encodedTwice(text: string, name: string): unknown {
  const value = parsedJson(text, name)
  return value === NOT_JSON ? text : value
}

function isForStructures(types: readonly string[]): boolean {
  return !types.includes('string') && (types.includes('array') || types.includes('object'))
}

function admits(types: readonly string[], value: unknown): boolean {
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value))
  return types.includes(typeof value)
}

function notOfType({ name, types }: Field): BadRequestError {
  const only = types.length === 1 ? types[0] : undefined
  if (only === 'integer') return new BadRequestError(`${name} is not an integer`)
  if (only === 'number') return new BadRequestError(`${name} is not a float`)
  if (only === 'boolean') return new BadRequestError(`${name} is not a boolean`)
  return new BadRequestError(`${name} is not valid JSON`)
}

/** Returns `NOT_JSON` if the text cannot be parsed. @throws BadRequestError if it is too long or too deeply nested */
function parsedJson(text: string, name: string): unknown {
  if (text.length > MAX_JSON_LENGTH) {
    throw new BadRequestError(`${name} is too long (limit: ${MAX_JSON_LENGTH} characters)`)
  }
  if (isTooDeep(text)) throw new BadRequestError(`${name} is nested too deeply (limit: ${MAX_JSON_DEPTH} levels)`)
  try {
    return JSON.parse(text)
  } catch (err) {
    if (err instanceof SyntaxError) return NOT_JSON
    throw err
  }
}

/** Checks the text, because validation and handlers recurse. */
function isTooDeep(text: string): boolean {
  if (text.length <= MAX_JSON_DEPTH) return false
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === 0x5c) index++
      else if (code === 0x22) isInString = false
    } else if (code === 0x22) isInString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Refuses JSON that cannot be stored: unpaired surrogates, null bytes, and integers that lost digits. */
function checked<Value>(value: Value, field: Field): unknown {
  if (typeof value === 'string') return checkedText(value, field)
  if (typeof value === 'number') return checkedNumber(value, field)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    // Iterates by index, because the names of hundreds of thousands of items would be as many strings.
    for (let index = 0; index < value.length; index += 1) value[index] = checked(value[index], field)
    return value
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw new BadRequestError(`Argument "__proto__" at ${field.name} is unexpected`)
    checkedText(key, field)
    ;(value as Record<string, unknown>)[key] = checked(item, field)
  }
  return value
}

function checkedText(text: string, { name, nullBytes }: Field): string {
  if (!nullBytes && text.includes('\0')) throw new BadRequestError(`${name} must not contain null bytes`)
  if (!text.isWellFormed()) throw notUnicode(name)
  return text
}

function notUnicode(name: string): ApiError {
  return malformed(`${name} is not well-formed Unicode`)
}

function checkedNumber(value: number, { name, anyInteger }: Field): number {
  if (anyInteger) return Math.max(-ABOVE_ALL_IDS, Math.min(value, ABOVE_ALL_IDS))
  const isLossy = !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
  if (isLossy && value !== ABOVE_ALL_IDS) throw new BadRequestError(`${name} is too ${value > 0 ? 'large' : 'small'}`)
  return value
}

function textOf(source: string | Uint8Array): string {
  if (typeof source !== 'string') {
    if (!isUtf8(source)) throw malformed('the body is not UTF-8')
    return Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('utf8')
  }
  // Node reads a request line as Latin-1. Text with other characters was made in this process and is decoded already.
  return /[\x80-\xff]/.test(source) && !/[^\0-\xff]/.test(source) ? textOf(Buffer.from(source, 'latin1')) : source
}

/**
 * Always decodes values, even if nothing is encoded, because that makes a new string. A slice of the text would keep
 * the whole body in memory as long as the slice lives.
 *
 * @param of name of the parameter that has the value; undefined if the text is itself a name
 */
function percentDecoded(text: string, of: string | undefined): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (of === undefined && !spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch (err) {
    if (!(err instanceof URIError)) throw err
    throw malformed(`${of ?? 'a parameter name'} is not valid percent-encoded UTF-8`)
  }
}

function malformed(reason: string): ApiError {
  return new BadRequestError(`Malformed payload: ${reason}`)
}
