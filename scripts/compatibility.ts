/**
 * `npm run compatibility`: runs existing clients against server processes and writes docs/compatibility.md. It runs the
 * same tests as `npm run test:full`, so the table says what these prove. Exit code 1 if any fails.
 */
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { FEATURE_LEVEL } from '../domain/versions.ts'
import { isRed, type Result, tableText } from '../tests/compatibility/table.ts'
import { ensureGenerated } from './generate.ts'
import { pythonWithClients } from './test/python.ts'

const root = join(import.meta.dirname, '..')
const file = join(root, 'docs/compatibility.md')
const TESTS = ['tests/clients/*.full.ts', 'tests/compatibility/*.full.ts']

/** Runs the tests one file after the other. A suite is a client, a test is something it can do. */
async function results(): Promise<Result[]> {
  const found: Result[] = []
  const files = TESTS.flatMap((pattern) => globSync(pattern, { cwd: root }).sort()).map((path) => join(root, path))
  let client = ''
  for await (const { type, data } of run({ files, concurrency: 1, cwd: root })) {
    if (type === 'test:start' && data.nesting === 0) client = data.name
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting !== 1 || data.details.type === 'suite') continue
    const error = 'error' in data.details ? data.details.error : undefined
    const reason = typeof data.skip === 'string' ? data.skip : ''
    found.push({ client, what: data.name, skipped: data.skip ? reason : undefined, error: error?.cause ?? error })
  }
  return found
}

parseArgs({ options: {} }) // reports arguments, since there are none
await ensureGenerated()
const python = await pythonWithClients(AbortSignal.timeout(300_000))
if (python === undefined) throw new Error('python3 is not installed (Debian: python3-venv)')
process.env.PARLEY_TEST_PYTHON = python
process.env.PARLEY_CHECK_ANSWERS = 'on'
const found = await results()
if (found.length === 0) throw new Error('no test of a client was run')
writeFileSync(file, tableText(found, FEATURE_LEVEL))
const red = found.filter(isRed)
for (const { client, what } of red) console.log(`red: ${client}: ${what}`)
console.log(`${found.length} rows, ${red.length} of them red: docs/compatibility.md`)
process.exitCode = red.length > 0 ? 1 : 0
