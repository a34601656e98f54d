/**
 * `npm run check [-- --fix]`: everything that can be checked without running the code. One line for each step; a failed
 * step shows its tool's output. Exit code 1 if any step failed. `--fix` repairs what the formatter and linter can, and
 * updates the tables that documents hold.
 */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatStep, generateStep, independentSteps, type Step } from './check/steps.ts'
import { tableProblems } from './document-tables.ts'

const root = join(import.meta.dirname, '..')
const atOnce = 2 // more was slower on two cores

interface Outcome {
  failed: boolean
  output: string
}

/** Runs a tool under this Node, which is also first in the PATH for tools that start Node themselves. */
function runTool(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`
    const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...color, PATH: path, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ failed: code !== 0, output }))
  })
}

/** Runs one step and prints its line. Returns whether it passed. */
async function run(step: Step): Promise<boolean> {
  const started = performance.now()
  let outcome: Outcome
  if ('args' in step) {
    outcome = await runTool(step.args)
  } else {
    const problems = await step.problems()
    outcome = { failed: problems.length > 0, output: problems.join('\n') }
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${outcome.failed ? '✖' : '✔'} ${step.name} (${seconds} s)`)
  if (outcome.failed) console.log(outcome.output.trimEnd().replace(/^/gm, '    '))
  return !outcome.failed
}

/** Runs all `steps`, at most `atOnce` together. Returns whether all passed. */
async function runAll(steps: Step[]): Promise<boolean> {
  const waiting = steps[Symbol.iterator]()
  let passed = true
  const work = async () => {
    for (const step of waiting) if (!(await run(step))) passed = false
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return passed
}

const { values } = parseArgs({ options: { fix: { type: 'boolean', default: false } } })
const generated = await run(generateStep)
if (values.fix && generated) await tableProblems({ mend: true })
const checked = values.fix
  ? (await run(formatStep(true))) && (await runAll(independentSteps()))
  : await runAll([...independentSteps().slice(0, 1), formatStep(false), ...independentSteps().slice(1)])
if (!(generated && checked)) process.exitCode = 1
