import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Deployment, type Remains } from '../../conformance/deployment/deployment.ts'
import { harmless, type Operation, readContract } from '../../conformance/wire/contract.ts'
import { Http, type Login } from '../../conformance/wire/http.ts'
import { Pace } from '../../conformance/wire/pace.ts'
import { lockedPackages } from '../locked-packages.ts'
import type { OperationResult, SessionOptions, SessionReport } from './session.ts'

export interface DreddOptions {
  /** Address of the server, without `/api/v1`. */
  readonly url: string
  /** At least one. */
  readonly logins: readonly Login[]
  /** Gets each line of Dredd's output. */
  readonly onLine?: (line: string) => void
  /** Ends the run after the current request; what was created is removed. */
  readonly signal?: AbortSignal
  /** Default: the hooks of this folder. */
  readonly hooks?: string
}

export interface DreddReport {
  readonly featureLevel: number
  /** One for each operation of the contract, in its order. */
  readonly results: readonly OperationResult[]
  /** Problems of the run as a whole. */
  readonly problems: readonly string[]
  readonly remains: Remains
  readonly isInterrupted: boolean
  /**
   * Whether every operation that the level has and the credentials allow succeeded with an answer as in the contract.
   */
  readonly passed: boolean
}

const requestMs = 120_000

/**
 * Path of Dredd's program, in exactly the version of package-lock.json; installed if it is missing.
 *
 * @throws {Error} if npm cannot install it
 */
export async function installedDredd(): Promise<string> {
  return join(await lockedPackages(import.meta.dirname), 'dredd/bin/dredd')
}

/**
 * Lets Dredd send one request for each operation. Its own verdict is not trusted, because without hooks it would pass
 * against a server that accepts everything: what counts is the record of the hooks.
 *
 * @throws {CannotRunError}, {UnreachableError} if there is no such server, or none of the credentials works there
 * @throws {Error} if Dredd cannot be installed
 */
export async function runDredd(options: DreddOptions): Promise<DreddReport> {
  const contract = readContract()
  const asked = harmless(contract)
  const { url, level } = await Deployment.open(new Http(options.url, new Pace()), contract, options.logins)
  const dredd = await installedDredd()
  const folder = mkdtempSync(join(tmpdir(), 'parley-dredd-'))
  try {
    const report = join(folder, 'report.json')
    const description = join(folder, 'operations.json')
    writeFileSync(description, JSON.stringify(descriptionOf(asked)))
    const code = await ended(dredd, description, { ...options, url }, report)
    const isInterrupted = options.signal?.aborted ?? false
    const written = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as SessionReport) : undefined
    return reportOf(level, asked, { code, isInterrupted }, written)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Dredd's description: one transaction for each operation, which Dredd names after the summary. It has nothing that the
 * hooks write or judge themselves.
 */
function descriptionOf(operations: readonly Operation[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { id, method, path, types } of operations) {
    const [[status, listed] = [200, []]] = types
    const [type] = listed
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
      return { name, in: 'path', required: true, example: 'x', schema: { type: 'string' } }
    })
    const content = type === undefined || listed.includes('*/*') ? {} : { content: { [type]: {} } }
    const responses = { [status]: { description: id, ...content } }
    paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId: id, summary: id, parameters, responses } }
  }
  return { openapi: '3.0.3', info: { title: 'Parley', version: '1' }, paths }
}

/** Dredd's exit code; null if a signal ended it. */
function ended(
  dredd: string,
  description: string,
  { url, logins, signal, onLine = () => {}, hooks = join(import.meta.dirname, 'hooks.cjs') }: DreddOptions,
  report: string,
): Promise<number | null> {
  const session: SessionOptions = { url, logins, report }
  const flags = ['--hookfiles', hooks, '--color', 'false', '--http.timeout', String(requestMs)]
  const child = spawn(process.execPath, ['--no-warnings', dredd, description, url, ...flags], {
    env: { ...process.env, PARLEY_DREDD: JSON.stringify(session) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a terminal's Ctrl-C must not reach it, because Dredd would end without its hooks
  })
  signal?.addEventListener('abort', () => child.kill('SIGTERM'))
  if (signal?.aborted) child.kill('SIGTERM')
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
}

function reportOf(
  featureLevel: number,
  operations: readonly Operation[],
  { code, isInterrupted }: { code: number | null; isInterrupted: boolean },
  written: SessionReport | undefined,
): DreddReport {
  const known = new Map(written?.results.map((result) => [result.operation, result]))
  const missing = isInterrupted
    ? ({ outcome: 'left out', reason: 'the run was interrupted' } as const)
    : ({ outcome: 'failed', reason: 'Dredd sent no request for it' } as const)
  const results = operations.map(({ id: operation }) => known.get(operation) ?? { operation, ...missing })
  const have = (outcome: OperationResult['outcome']): boolean => results.some((result) => result.outcome === outcome)
  const problems = isInterrupted
    ? ['the run was interrupted']
    : [
        ...(written === undefined ? ['the hooks were not loaded, or Dredd ended before they were done'] : []),
        ...(code !== 0 && !have('failed') ? [`Dredd ended with exit code ${code}`] : []),
        ...(have('exercised') ? [] : ['no operation was exercised']),
      ]
  const passed = problems.length === 0 && !have('failed')
  return { featureLevel, results, problems, remains: written?.remains ?? [], isInterrupted, passed }
}
