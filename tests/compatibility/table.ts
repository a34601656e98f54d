import { PYTHON_NOT_RUN } from './python-administration.ts'

/** One thing that a client did. */
export interface Result {
  readonly client: string
  readonly what: string
  /** Why it was not run. */
  readonly skipped: string | undefined
  /** Why it failed. */
  readonly error: unknown
}

const PREFACE = `# Compatibility

Existing clients, unchanged, against Parley. \`npm run compatibility\` makes this page; \`npm run test:full\` runs the same
checks.

The Python and JavaScript clients and the bots are run for real, from their published packages, against a server process.
The terminal and the mobile client are run as data (\`tests/compatibility/\`): the calls that they make, in their order,
and the fields, types and nulls that they need in answers and events. The mobile client rejects any deviation; its server
runs with \`PARLEY_WIRE_VALUES=clients\`.

`

/** Clients that need another feature level than the server's, which is not a failure. */
const OTHER_LEVELS = [
  {
    client: 'terminal client 0.7.0 (released)',
    level: '≤ 438',
    what: 'start',
    result: 'not run: it reads fields that were removed in level 439; an older feature level will serve it',
  },
]

/** Abilities of these clients that were not run, with the reason. */
const NOT_RUN: readonly (readonly [string, string])[] = [
  ...Object.entries(PYTHON_NOT_RUN).map(([method, why]) => [`Python: ${method}`, why] as const),
  [
    'mobile: POST /user_uploads, GET /user_uploads/…',
    'files cannot be run as data; the Python client uploads and reads one for real',
  ],
  ['terminal: GET /streams/{id}/email_address', PYTHON_NOT_RUN.get_stream_email_address ?? ''],
]

const AFTERWORD = `
Not run:

| what | why |
| --- | --- |
${NOT_RUN.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('')}
The list of methods comes from the Python client itself: a method that is neither run nor listed here is red.
`

/** Whether something failed, or was not run. */
export function isRed({ skipped, error }: Result): boolean {
  return skipped !== undefined || error !== undefined
}

/** The page. The same results give the same text. */
export function tableText(results: readonly Result[], featureLevel: number): string {
  const red = results.filter(isRed).length
  const rows = results.map((one) => [one.client, String(featureLevel), one.what, verdict(one)])
  const others = OTHER_LEVELS.map(({ client, level, what, result }) => [client, level, what, result])
  const lines = [
    ['client', 'feature level', 'what was run', 'result'],
    ['---', '---', '---', '---'],
    ...rows,
    ...others,
  ]
  const sum = red === 0 ? `All ${results.length} hold.` : `🔴 ${red} of ${results.length} do not hold.`
  return `${PREFACE}${sum}\n\n${lines.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('')}${AFTERWORD}`
}

function verdict({ skipped, error }: Result): string {
  if (skipped !== undefined) return `🔴 ${skipped || 'not run'}`
  if (error === undefined) return '🟢'
  return `🔴 ${reasonOf(error)}`
}

/** The first error, without the parts that are known to differ between runs. */
function reasonOf(error: unknown): string {
  const { actual, message } = error as { actual?: unknown; message?: string }
  if (Array.isArray(actual) && actual.length > 0 && actual.every((one) => typeof one === 'string')) {
    return actual.join('; ')
  }
  return (message ?? String(error)).split('\n')[0] ?? ''
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
