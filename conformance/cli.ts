#!/usr/bin/env node
import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { CannotRunError, type Credentials, readCredentials, readText } from './deployment/credentials.ts'
import { PushRelay } from './deployment/push-relay.ts'
import { interruption } from './interruption.ts'
import { type Check, fails } from './kernel/check.ts'
import type { RunProfile } from './options.ts'
import { htmlReport } from './reports/html.ts'
import { jsonReport } from './reports/json.ts'
import { junitReport } from './reports/junit.ts'
import { ResultLines, startText, summaryText, type Verdict, verdictOf } from './reports/terminal.ts'
import { type ConformanceReport, runConformance, type Selection, selectedChecks } from './run.ts'
import { judge, judgementText } from './traffic/judge.ts'
import { readRecording } from './traffic/recording.ts'
import { readContract } from './wire/contract.ts'
import { loginScript } from './wire/curl.ts'

const usage = `Tests what a chat server with this API really does.

  npx --no -- parley-conformance --url http://127.0.0.1:9991 --credentials data/demo-credentials.json

  --url URL                  address of the server; default: the one in the credentials
  --credentials FILE         demo-credentials.json or a zuliprc; may be given several times
  --user EMAIL --api-key KEY credentials of one account
  --profile NAME             all or quick; default: quick if the server limits requests
                             or is slow, and neither --only nor --budget is given, otherwise all
  --only NAME, --skip NAME   id of a check or its beginning up to a slash, an area,
                             a requirement or an operation; may be given several times
  --budget TIME              such as 60s or 10m: start no check after that; spare time is used for more values
  --judge FILE               judge the exchanges that a browser or proxy has recorded (an HTTP archive, HAR 1.2),
                             and send no requests; --url chooses the server; default: the first in the recording
  --list                     print the checks that these flags select, and send no requests
  --seed NUMBER              generate the same values again
  --path PATH                start with a counterexample; with --seed and one check in --only
  --patience TIME            how long an event may take to arrive; default 20s
  --push-relay URL           act as Parley's push service at this address, which the server has as PARLEY_PUSH_RELAY_URL
  --strict                   treat deviations and unexpected passes as failures
  --expected-failures FILE   ids of checks that are known to fail, one per line, # starts a comment
  --json FILE, --junit FILE, --html FILE   write a report
  --keep FILE                remove nothing, and write the logins of all people to FILE, for the scripts of failures
  --quiet                    print failures and the summary only
  --version                  print the versions of the suite and of its contract

Exit code: 0 passed; 1 failed; 2 could not run, was interrupted, or the suite made a mistake;
3 incomplete: nothing failed, but the budget was too small for all checks, or none could run.
`

const profiles: readonly RunProfile[] = ['quick', 'all']

const exitCodes = { passed: 0, failed: 1, couldNotRun: 2, incomplete: 3 } as const

const exitCodeOf: Readonly<Record<Verdict, number>> = {
  Passed: exitCodes.passed,
  Failed: exitCodes.failed,
  Incomplete: exitCodes.incomplete,
  Interrupted: exitCodes.couldNotRun,
  'Error of the suite': exitCodes.couldNotRun,
}

const options = {
  url: { type: 'string' },
  credentials: { type: 'string', multiple: true },
  user: { type: 'string' },
  'api-key': { type: 'string' },
  profile: { type: 'string' },
  only: { type: 'string', multiple: true },
  skip: { type: 'string', multiple: true },
  budget: { type: 'string' },
  seed: { type: 'string' },
  patience: { type: 'string' },
  'push-relay': { type: 'string' },
  path: { type: 'string' },
  strict: { type: 'boolean' },
  'expected-failures': { type: 'string' },
  json: { type: 'string' },
  junit: { type: 'string' },
  html: { type: 'string' },
  keep: { type: 'string' },
  quiet: { type: 'boolean' },
  judge: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const

type Flags = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

async function main(): Promise<number> {
  try {
    const flags = readFlags()
    if (flags.help || flags.version) {
      process.stdout.write(flags.help ? usage : versions())
      return exitCodes.passed
    }
    if (flags.judge !== undefined) return await judged(flags.judge, flags)
    if (flags.list) {
      console.log(selectedChecks(selectionOf(flags), readContract()).map(listLine).join('\n'))
      return exitCodes.passed
    }
    const report = await run(flags)
    console.log(summaryText(report))
    return writeReports(flags, report) ? exitCodeOf[verdictOf(report)] : exitCodes.couldNotRun
  } catch (err) {
    console.error(err instanceof CannotRunError ? err.message : err)
    return exitCodes.couldNotRun
  }
}

function versions(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  return `${version}, contract of feature level ${readContract().level}\n`
}

function readFlags(): Flags {
  try {
    return parseArgs({ options }).values
  } catch (err) {
    throw new CannotRunError(`${err instanceof Error ? err.message : err}\n\n${usage}`)
  }
}

async function run(flags: Flags): Promise<ConformanceReport> {
  const given = credentialsOf(flags)
  const url = flags.url ?? given.url
  if (url === undefined) throw new CannotRunError('--url is missing: expected an address such as http://127.0.0.1:9991')
  mustBeAddress('url', url)
  for (const name of ['json', 'junit', 'html', 'keep'] as const) mustBeWritable(name, flags[name])
  const lines = linesOfResults()
  const expected = flags['expected-failures']
  const signal = interruption()
  const { keep, 'push-relay': relayUrl } = flags
  if (relayUrl !== undefined) mustBeAddress('push-relay', relayUrl)
  const pushRelay = relayUrl === undefined ? undefined : await PushRelay.listen(relayUrl)
  return runConformance({
    url,
    logins: given.logins,
    ...selectionOf(flags),
    signal,
    strict: flags.strict ?? false,
    ...(flags.budget !== undefined && { budgetMs: millisecondsOf('budget', flags.budget) }),
    ...(flags.patience !== undefined && { patienceMs: millisecondsOf('patience', flags.patience) }),
    ...(flags.seed !== undefined && { seed: seedOf(flags.seed) }),
    ...(flags.path !== undefined && { path: flags.path }),
    ...(pushRelay && { pushRelay }),
    ...(expected !== undefined && { expectedFailures: listIn(expected) }),
    ...(keep !== undefined && { onKept: (logins) => writeFileSync(keep, loginScript(logins), { mode: 0o600 }) }),
    onStart: (start) => console.log(startText(start)),
    onResult(result, progress) {
      if (signal.aborted && result.outcome === 'left out') return // one line for each remaining check would say nothing
      const isToTell = ['failed', 'broken', ...(flags.strict ? ['deviation'] : [])].includes(result.outcome)
      if (!flags.quiet || isToTell) console.log(lines.of(result, progress))
    },
  })
}

/** Prints the findings in recorded exchanges. */
async function judged(
  file: string,
  { judge: _, url, strict = false, quiet = false, ...others }: Flags,
): Promise<number> {
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw new CannotRunError(`--judge goes with --url, --strict and --quiet, not with --${other}`)
  if (url !== undefined) mustBeAddress('url', url)
  const recording = readRecording(file, url)
  const judgement = await judge(recording)
  const { results } = judgement
  const lines = linesOfResults()
  for (const [index, result] of results.entries()) {
    const isToTell = fails(result, strict) || result.outcome === 'broken'
    if (!quiet || isToTell) console.log(lines.of(result, { done: index + 1, of: results.length }))
  }
  console.log(judgementText(recording, judgement))
  if (results.some(({ outcome }) => outcome === 'broken')) return exitCodes.couldNotRun
  return results.some((result) => fails(result, strict)) ? exitCodes.failed : exitCodes.passed
}

function mustBeAddress(flag: 'url' | 'push-relay', text: string): void {
  const port = flag === 'url' ? 9991 : 9992
  // Paths of the API are appended, and reports show the address.
  if (!URL.canParse(text) || !/^https?:\/\/(?!.*\/api\/v1\/*$)[^?#@\s]+$/i.test(text))
    throw new CannotRunError(`--${flag} is '${text}': expected an address such as http://127.0.0.1:${port}`)
}

function linesOfResults(): ResultLines {
  return new ResultLines(process.stdout.isTTY && process.env.NO_COLOR === undefined)
}

function selectionOf({ profile, only = [], skip = [] }: Flags): Selection {
  return { ...(profile !== undefined && { profile: profileOf(profile) }), only, skip }
}

function listLine({ id, title, requirements, conditional = [] }: Check): string {
  return `${id}: ${title}\n    ${[...requirements, ...conditional].join(' ')}`
}

function credentialsOf(flags: Flags): Credentials {
  const files = (flags.credentials ?? []).map(readCredentials)
  const { user, 'api-key': apiKey } = flags
  if ((user === undefined) !== (apiKey === undefined)) throw new CannotRunError('--user and --api-key go together')
  const own = user !== undefined && apiKey !== undefined ? [{ email: user, apiKey }] : []
  const logins = [...own, ...files.flatMap((file) => file.logins)]
  if (logins.length === 0)
    throw new CannotRunError('credentials are missing: --credentials FILE, or --user and --api-key')
  return { url: files.find(({ url }) => url !== undefined)?.url, logins }
}

function profileOf(name: string): RunProfile {
  const known = profiles.find((profile) => profile === name)
  if (known !== undefined) return known
  throw new CannotRunError(`--profile is '${name}': expected one of ${profiles.join(', ')}`)
}

function millisecondsOf(flag: string, text: string): number {
  const [, count, unit] = /^(\d+)([sm])$/.exec(text) ?? []
  const time = Number(count) * (unit === 'm' ? 60_000 : 1000)
  if (!(time > 0 && time <= 24 * 60 * 60_000))
    // timers take less than 25 days
    throw new CannotRunError(`--${flag} is '${text}': expected a time such as 60s or 10m, of at most a day`)
  return time
}

function seedOf(text: string): number {
  const seed = Number(text)
  if (text.trim() === '' || !Number.isInteger(seed) || Math.abs(seed) >= 2 ** 31) {
    throw new CannotRunError(`--seed is '${text}': expected a whole number of at most 31 bits`)
  }
  return seed
}

function listIn(file: string): Set<string> {
  const lines = readText(file).split('\n')
  return new Set(lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== ''))
}

/** Before the run, because minutes later it would be too late. */
function mustBeWritable(name: string, file: string | undefined): void {
  if (file === undefined) return
  const present = statSync(file, { throwIfNoEntry: false })
  try {
    accessSync(present === undefined ? dirname(file) : file, constants.W_OK)
    if (present?.isDirectory()) throw new Error('it is a folder')
  } catch (err) {
    throw new CannotRunError(`--${name} ${file} cannot be written: ${(err as Error).message}`)
  }
}

/** Whether all reports could be written; one that could not is told, and costs no other. */
function writeReports(flags: Flags, report: ConformanceReport): boolean {
  const formats = { json: jsonReport, junit: junitReport, html: htmlReport }
  const missing = (['json', 'junit', 'html'] as const).filter((name) => {
    const file = flags[name]
    try {
      if (file !== undefined) writeFileSync(file, formats[name](report))
      return false
    } catch (err) {
      console.error(`--${name} ${file} was not written: ${(err as Error).message}`)
      return true
    }
  })
  return missing.length === 0
}

// A pager that was quit, or a full disk; without a listener the process would end in the middle of its run.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', () => {
    process.exitCode = exitCodes.couldNotRun
  })
}
const code = await main()
process.exitCode ??= code
