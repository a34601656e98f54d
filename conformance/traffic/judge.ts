import { randomBytes } from 'node:crypto'
import { checks as witnesses } from '../checks/witnesses.ts'
import { Account, roleOf } from '../deployment/account.ts'
import { isDocumentOfParley, requireKnownLevel } from '../deployment/claims.ts'
import { CannotRunError } from '../deployment/credentials.ts'
import { Deployment } from '../deployment/deployment.ts'
import type { Check, CheckResult } from '../kernel/check.ts'
import { resultOf } from '../one-result.ts'
import { readRequirements } from '../requirements/requirements.ts'
import { type Contract, contractOf, readContract } from '../wire/contract.ts'
import { ExchangeFeed } from '../wire/exchange-feed.ts'
import { Http } from '../wire/http.ts'
import { Pace } from '../wire/pace.ts'
import { Refusals } from '../wire/refusals.ts'
import { isObject } from '../wire/values.ts'
import type { Recording } from './recording.ts'

export interface Judgement {
  readonly featureLevel: number
  readonly results: readonly CheckResult[]
  /** Number of exchanges with each operation, by its id. */
  readonly operations: ReadonlyMap<string, number>
  /** Number of exchanges that are not judged, by the reason. */
  readonly notJudged: ReadonlyMap<string, number>
}

/** Compares several answers: somebody who is not in the recording may have changed something between them. */
const dependsOnOthers = 'run/ledger'

/**
 * Checks recorded exchanges against the contract, as the witnesses of a run do, without asking the server anything.
 *
 * @throws {CannotRunError} if no answer states the feature level, or it is too old
 */
export async function judge({ url, exchanges, notJudged }: Recording): Promise<Judgement> {
  const level = exchanges.map(({ body }) => body?.zulip_feature_level).find(Number.isInteger)
  if (level === undefined) {
    throw new CannotRunError(
      'no recorded answer states the feature level: record GET /api/v1/server_settings or POST /api/v1/register, too',
    )
  }
  requireKnownLevel(level)
  const isParley = exchanges.some((one) => one.request.path === '/api/v1/openapi.json' && isDocumentOfParley(one))
  const claims = { level, isParley, areMetricsForUs: false, isStandIn: false }
  const contract = contractOf(readContract(), claims)
  const refusals = new Refusals()
  const feed = new ExchangeFeed(contract)
  const http = new Http(url, new Pace())
  const people = peopleIn(exchanges, http, contract)
  const deployment = new Deployment(http, contract, { refusals, feed }, claims, people, randomBytes)
  const operations = new Map<string, number>()
  const others = new Map(notJudged)
  feed.listen((exchange, operation) => {
    if (operation === undefined) return add(others, 'at an address that the contract does not describe')
    add(operations, operation.id)
    if (exchange.request.as !== undefined && deployment.userIdOf(exchange.request.as) === undefined)
      add(others, 'by callers whose user_id is unknown, as to what they have written')
  })
  const options = { url, logins: [] }
  const run = { deployment, requirements: readRequirements(), options, seed: 0, deadline: Infinity }
  const ended = [...witnesses, codes(refusals)].map((check) => resultOf(check, run, { current: undefined }, 0))
  for (const exchange of exchanges) feed.announce(exchange)
  feed.end()
  if (operations.size === 0) throw new CannotRunError('no recorded request is one that the contract describes')
  const results = (await Promise.all(ended)).map(({ result }) => unlessOthersWrote(result))
  return { featureLevel: level, results, operations, notJudged: others }
}

/** The last lines about a recording. */
export function judgementText(
  { url, exchanges }: Recording,
  { featureLevel, operations, notJudged }: Judgement,
): string {
  const judged = [...operations.values()].reduce((sum, count) => sum + count, 0)
  return [
    '',
    `${url} at feature level ${featureLevel}: ${judged} of ${exchanges.length} exchanges judged, of ${operations.size} operations`,
    ...[...notJudged].map(([reason, count]) => `not judged: ${count} ${reason}`),
    'events that are missing, and changes that no later answer shows, take a run to find',
  ].join('\n')
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Checks refusals against the contract; in a run each check does this for the refusals that it caused. */
function codes(refusals: Refusals): Check {
  return {
    id: 'run/codes',
    title: 'operations refuse with codes that the contract lists for them',
    area: 'The whole run',
    isWitness: true,
    requirements: ['CONTRACT-CODE'],
    run: (t) =>
      t.watch((exchange, operation) => {
        const refusal = refusals.note(exchange, operation)
        if (refusal === undefined) return
        t.asserted.add('CONTRACT-CODE')
        t.refused(refusal)
      }),
  }
}

function unlessOthersWrote(result: CheckResult): CheckResult {
  if (result.check.id !== dependsOnOthers || result.outcome !== 'failed') return result
  return { ...result, outcome: 'deviation', findings: [], deviations: result.findings }
}

/** The callers, as far as answers identify them. */
function peopleIn(exchanges: Recording['exchanges'], http: Http, contract: Contract): Account[] {
  const people = new Map<string, Account>()
  for (const { request, body } of exchanges) {
    if (!isObject(body) || !Number.isInteger(body.user_id)) continue
    const [path = ''] = request.path.split('?')
    const isOwn = ['/api/v1/users/me', '/api/v1/register'].includes(path)
    const email = path === '/api/v1/fetch_api_key' ? String(body.email) : isOwn ? request.as?.email : undefined
    if (email === undefined) continue
    const profile = { userId: Number(body.user_id), role: roleOf(body.role), isBot: body.is_bot === true }
    people.set(email, new Account(http, contract, { email, apiKey: email }, { ...profile, fullName: email }))
  }
  return [...people.values()]
}
