import { BadRequestError, MethodNotAllowedError, UnknownUrlError } from '../domain/errors.ts'

/** The parts of an operation that the table needs, with the names of generated/decoded.json. */
export interface RoutedOperation {
  readonly operationId: string
  /** In lower case, as in the contract. */
  readonly method: string
  /** From the root of the server, such as `/api/v1/messages/{message_id}`. */
  readonly path: string
  /**
   * An integer parameter matches only decimal digits; one with `slashes`, at the end, matches everything that is left.
   */
  readonly 'x-decode': Readonly<
    Record<string, { readonly type?: string | readonly string[]; readonly slashes?: boolean }>
  >
}

export interface Match<Operation> {
  readonly operation: Operation
  /** Percent-decoded text. */
  readonly pathParameters: Readonly<Record<string, string>>
}

interface Leaf<Operation> {
  readonly operation: Operation
  /** Names of the path parameters, from left to right. */
  readonly names: readonly string[]
}

/**
 * One segment of the routes. Literal text has priority over an integer, an integer over any text, and any text over the
 * rest of the path.
 */
interface Segment<Operation> {
  readonly literals: Map<string, Segment<Operation>>
  integer?: Segment<Operation>
  text?: Segment<Operation>
  /** Matches this segment and all that follow. */
  rest?: Segment<Operation>
  /** By method in upper case; absent if no route ends here. */
  leaves?: Map<string, Leaf<Operation>>
}

const METHOD_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const PARAMETER = /^\{(.+)\}$/
/** Percent signs, and bytes beyond ASCII, which Node passes as one character each. */
const ENCODED = /[%\x80-\xff]/

/**
 * Finds operations by method and path, compiled once: the router of openapi-backend builds a RegExp per path and
 * request (300 µs with 100 operations), this takes about a microsecond (docs/decisions, "One engine, bent in one
 * file").
 *
 * Segments are compared after percent-decoding. A trailing slash, an empty segment or another case makes another URL,
 * which is unknown: a resource has exactly one URL. HEAD is served where GET is, OPTIONS for every URL that exists.
 */
export class RouteTable<Operation extends RoutedOperation> {
  readonly #root: Segment<Operation> = { literals: new Map() }
  /** Routes without parameters, found by one look-up. */
  readonly #fixed = new Map<string, Match<Operation>>()

  /** @throws Error if two operations have the same method and, except for parameter names, the same path */
  constructor(operations: readonly Operation[]) {
    for (const operation of operations) this.#add(operation)
  }

  /**
   * @param path without the query, as received
   * @throws UnknownUrlError
   * @throws MethodNotAllowedError with the methods that the path has
   * @throws BadRequestError for invalid percent-encoding
   */
  match(method: string, path: string): Match<Operation> {
    const wanted = method === 'HEAD' ? 'GET' : method
    const fixed = this.#fixed.get(`${wanted} ${path}`)
    if (fixed !== undefined) return fixed
    const segments = segmentsOf(path)
    const values: string[] = []
    const leaf = find(this.#root, segments, 1, wanted, values)
    if (leaf !== undefined) return { operation: leaf.operation, pathParameters: named(leaf.names, values) }
    const allowed = allowedAt(this.#root, segments)
    throw allowed.length === 0 ? new UnknownUrlError() : new MethodNotAllowedError(allowed)
  }

  /** Returns the methods of this path, for OPTIONS and `Allow`. @throws UnknownUrlError */
  allowed(path: string): readonly string[] {
    const allowed = allowedAt(this.#root, segmentsOf(path))
    if (allowed.length === 0) throw new UnknownUrlError()
    return allowed
  }

  #add(operation: Operation): void {
    const { path: route } = operation
    const method = operation.method.toUpperCase()
    const names: string[] = []
    let segment = this.#root
    for (const part of route.split('/').slice(1)) {
      const name = PARAMETER.exec(part)?.[1]
      if (name === undefined) {
        segment = child(segment.literals, part)
        continue
      }
      names.push(name)
      const rule = operation['x-decode'][name]
      const kind = rule?.slashes ? 'rest' : rule?.type === 'integer' ? 'integer' : 'text'
      segment[kind] ??= { literals: new Map() }
      segment = segment[kind]
    }
    segment.leaves ??= new Map()
    const other = segment.leaves.get(method)
    if (other !== undefined) {
      throw new Error(`${operation.operationId} and ${other.operation.operationId} are both ${method} ${route}`)
    }
    segment.leaves.set(method, { operation, names })
    if (names.length === 0) this.#fixed.set(`${method} ${route}`, { operation, pathParameters: {} })
  }
}

function child<Operation>(literals: Map<string, Segment<Operation>>, part: string): Segment<Operation> {
  let segment = literals.get(part)
  if (segment === undefined) {
    segment = { literals: new Map() }
    literals.set(part, segment)
  }
  return segment
}

/** The first segment stands before the leading slash, and is empty in every path that has a route. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/')
  if (segments[0] !== '') throw new UnknownUrlError()
  return ENCODED.test(path) ? segments.map(decodedSegment) : segments
}

function decodedSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment.replace(/[\x80-\xff]/g, (byte) => encodedByte(byte.charCodeAt(0))))
    if (!decoded.includes('\0')) return decoded
  } catch (err) {
    if (!(err instanceof URIError)) throw err
  }
  throw new BadRequestError('Malformed payload: the path is not valid percent-encoded UTF-8, or has a null byte')
}

function encodedByte(byte: number): string {
  return `%${byte.toString(16)}`
}

/** Finds the most specific route that has the method; leaves the texts of its parameters in `values`. */
function find<Operation>(
  segment: Segment<Operation>,
  segments: readonly string[],
  index: number,
  method: string,
  values: string[],
): Leaf<Operation> | undefined {
  const part = segments[index]
  if (part === undefined) return segment.leaves?.get(method)
  const literal = segment.literals.get(part)
  const found = literal === undefined ? undefined : find(literal, segments, index + 1, method, values)
  if (found !== undefined || part === '') return found
  // A request to /users/me with a method that it lacks is not about a user called "me".
  if (literal !== undefined && collect(literal, segments, index + 1, new Set())) return undefined
  for (const next of parameterSegments(segment, part)) {
    values.push(part)
    const leaf = find(next, segments, index + 1, method, values)
    if (leaf !== undefined) return leaf
    values.pop()
  }
  return findRest(segment, segments, index, method, values)
}

function findRest<Operation>(
  { rest }: Segment<Operation>,
  segments: readonly string[],
  index: number,
  method: string,
  values: string[],
): Leaf<Operation> | undefined {
  const leaf = rest?.leaves?.get(method)
  const left = segments.slice(index)
  if (leaf === undefined || left.includes('')) return undefined
  values.push(left.join('/'))
  return leaf
}

function parameterSegments<Operation>(segment: Segment<Operation>, part: string): Segment<Operation>[] {
  const { integer, text } = segment
  const candidates = integer !== undefined && isDigits(part) ? [integer] : []
  if (text !== undefined) candidates.push(text)
  return candidates
}

function allowedAt<Operation>(root: Segment<Operation>, segments: readonly string[]): string[] {
  const methods = new Set<string>()
  collect(root, segments, 1, methods)
  if (methods.size === 0) return []
  if (methods.has('GET')) methods.add('HEAD')
  methods.add('OPTIONS')
  return METHOD_ORDER.filter((method) => methods.has(method))
}

/** Adds the methods of the path to `methods`. @returns whether there is such a path */
function collect<Operation>(
  segment: Segment<Operation>,
  segments: readonly string[],
  index: number,
  methods: Set<string>,
): boolean {
  const part = segments[index]
  if (part === undefined) {
    for (const method of segment.leaves?.keys() ?? []) methods.add(method)
    return segment.leaves !== undefined
  }
  const literal = segment.literals.get(part)
  if (literal !== undefined && collect(literal, segments, index + 1, methods)) return true
  if (part === '') return false
  const parameters = parameterSegments(segment, part)
  const rest = segments.includes('', index) ? undefined : segment.rest
  for (const method of rest?.leaves?.keys() ?? []) methods.add(method)
  return parameters.map((next) => collect(next, segments, index + 1, methods)).includes(true) || rest !== undefined
}

function isDigits(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 48 || code > 57) return false
  }
  return text !== ''
}

function named(names: readonly string[], values: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [index, name] of names.entries()) parameters[name] = values[index] ?? ''
  return parameters
}
