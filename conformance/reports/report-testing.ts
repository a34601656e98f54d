import type { Check, CheckResult } from '../kernel/check.ts'
import type { Finding } from '../kernel/finding.ts'
import type { ConformanceReport } from '../run.ts'
import type { Exchange } from '../wire/http.ts'

/** An answer to GET /messages. */
export function exchange(body: unknown, status = 200): Exchange {
  return {
    url: 'http://127.0.0.1/api/v1/messages',
    request: { method: 'GET', path: '/api/v1/messages', as: undefined, caller: 'member' },
    status,
    headers: new Headers({ 'content-type': 'application/json' }),
    text: JSON.stringify(body),
    body,
    sentAt: 0,
    answeredAt: 1,
  }
}

/** A check that failed. */
export function failed(id: string, findings: readonly Finding[]): CheckResult {
  const check: Check = {
    id,
    title: id,
    area: 'Area',
    requirements: ['ENV-6'],
    run: () => Promise.resolve(),
  }
  return {
    check,
    outcome: 'failed',
    findings,
    deviations: [],
    reasons: [],
    asserted: [],
    durationMs: 1,
    isExpected: false,
  }
}

/** The report of a run in which these checks ended. */
export function reportOf(results: readonly CheckResult[]): ConformanceReport {
  return {
    url: 'http://127.0.0.1',
    featureLevel: 482,
    contractLevel: 482,
    isParley: true,
    profile: 'all',
    seed: 1,
    startedAt: 'now',
    durationMs: 1,
    requests: 1,
    results,
    unexpectedPasses: [],
    isLimited: false,
    remains: [],
    noUsers: undefined,
    refusals: { listed: 0, seen: 0, unseen: [], unprovoked: [] },
    isInterrupted: false,
    notBegun: [],
    broken: [],
    isStrict: false,
    passed: false,
  }
}
