/** A line of an answer as indented JSON. */
export interface Line {
  readonly text: string
  /** Whether this line differs from what was expected. */
  readonly isMarked: boolean
}

const mostLines = 40
const mostMarks = 8
const mostCharacters = 240
/** Lines shown before and after a difference. */
const around = 4
/** Larger answers are not compared line by line. */
const mostBytes = 2_000_000

/**
 * The lines of an answer around what differs from the expectation; `…` replaces the rest.
 *
 * @param expected in words: fields between backticks, or a schema's complaint with pointers such as `/messages/0/id`
 * @returns undefined if the answer is not a JSON object
 */
export function comparisonOf(expected: string, body: unknown, text: string): readonly Line[] | undefined {
  if (typeof body !== 'object' || body === null || text.length > mostBytes) return undefined
  const pointers = new Set([...expected.matchAll(/(?:^|[\s;])((?:\/[\w~.@-]+)+) (?=must|has)/g)].map(([, one]) => one))
  const names = new Set([
    ...fieldsIn(expected, body),
    ...missingIn(expected),
    ...(hasOtherCode(expected, body) ? ['code'] : []),
  ])
  const lines = [...linesOf(body, '', '', '')].map(({ line, pointer, key }) => ({
    text: line,
    isMarked: pointers.size > 0 ? pointers.has(pointer) : names.has(key),
  }))
  const absent = [...names].filter((name) => !text.includes(`"${name}"`))
  return [...cut(lines), ...absent.map((name) => ({ text: `(no "${name}")`, isMarked: true }))]
}

/** Names between backticks (of `a.b` the last part), without names whose quoted value matches the answer. */
function fieldsIn(expected: string, body: object): string[] {
  const named = [...expected.matchAll(/`(?:\w+\.)*([a-z]\w*)`(?: is)?(?: ("(?:[^"\\]|\\.)*"|-?\d+|true|false|null))?/g)]
  return named.flatMap(([, name = '', value]) => {
    const has: unknown = (body as Readonly<Record<string, unknown>>)[name]
    return value !== undefined && JSON.stringify(has) === value ? [] : [name]
  })
}

/** Whether the words name codes, and the answer has another one. */
function hasOtherCode(expected: string, body: object): boolean {
  const codes: readonly string[] = expected.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []
  return codes.length > 0 && 'code' in body && !codes.includes(String(body.code))
}

/** Fields that a schema misses. */
function missingIn(expected: string): string[] {
  return [...expected.matchAll(/must have required property '(\w+)'/g)].map(([, name = '']) => name)
}

interface Placed {
  readonly line: string
  readonly pointer: string
  readonly key: string
}

/** `value` as indented JSON, each line with the pointer to what it shows or starts. */
function* linesOf(value: unknown, pointer: string, key: string, indent: string, end = ''): Generator<Placed> {
  const head = `${indent}${key !== '' && !/^\d+$/.test(key) ? `${JSON.stringify(key)}: ` : ''}`
  const isList = Array.isArray(value)
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : undefined
  if (entries === undefined || entries.length === 0) {
    yield { line: short(`${head}${JSON.stringify(value) ?? 'null'}${end}`), pointer, key }
    return
  }
  yield { line: `${head}${isList ? '[' : '{'}`, pointer, key }
  for (const [index, [name, inner]] of entries.entries()) {
    const isLast = index === entries.length - 1
    yield* linesOf(inner, `${pointer}/${name}`, name, `${indent}  `, isLast ? '' : ',')
  }
  yield { line: `${indent}${isList ? ']' : '}'}${end}`, pointer: '', key: '' }
}

function short(line: string): string {
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters)}…`
}

/** The beginning, and the lines around the first marked ones. */
function cut(lines: readonly Line[]): Line[] {
  const marked = lines.flatMap(({ isMarked }, index) => (isMarked ? [index] : [])).slice(0, mostMarks)
  const near = (index: number): boolean => index < 4 || marked.some((one) => Math.abs(one - index) <= around)
  const shown: Line[] = []
  for (const [index, line] of lines.entries()) {
    if (shown.length >= mostLines) break
    if (lines.length <= mostLines || near(index) || marked.length === 0) shown.push(line)
    else if (shown.at(-1)?.text !== '…') shown.push({ text: '…', isMarked: false })
  }
  const last = lines.at(-1)
  const isWhole = last !== undefined && shown.at(-1) === last
  return isWhole || shown.at(-1)?.text === '…' ? shown : [...shown, { text: '…', isMarked: false }]
}
