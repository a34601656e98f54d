import { curlScript } from '../wire/curl.ts'
import type { Exchange } from '../wire/http.ts'
import { comparisonOf, type Line } from './comparison.ts'

/** A violated requirement, with the evidence. */
export interface Finding {
  readonly requirement: string
  /** The requirement in words. */
  readonly says: string
  /** The expected answer. */
  readonly expected: string
  /** The steps before the request, in order, if the request does not show them. */
  readonly steps?: readonly string[]
  readonly request?: string
  readonly answer?: string
  /** For an answer in JSON: the lines that differ from the expectation, with the lines around them. */
  readonly comparison?: readonly Line[]
  /** Shell script that repeats the request. */
  readonly curl?: string
  /** Options for a run that finds this again. */
  readonly replay?: string
  /** How many times the check found it; absent means once. */
  readonly occurrences?: number
}

/** @param expected in words; after `, after ` come the steps that led there, as a list in JSON */
export function findingOf(requirement: string, says: string, expected: string, exchange: Exchange): Finding {
  const { request, status, headers, text, body: answer } = exchange
  const type = headers.get('content-type') ?? 'no content type'
  const body = request.raw?.body ?? String(new URLSearchParams((request.form ?? []) as [string, string][]))
  const { words, steps } = withoutSteps(expected)
  const comparison = comparisonOf(words, answer, text)
  return {
    requirement,
    says,
    expected: words,
    ...(steps.length > 0 && { steps }),
    request: shortened(`${request.method} ${request.path} as ${request.caller}${body === '' ? '' : `\n${body}`}`),
    answer: shortened(`HTTP ${status}, ${type}\n${text}`),
    ...(comparison && { comparison }),
    curl: curlScript(exchange),
  }
}

/** Keeps the first of the findings that say the same, with their number; numbers and quoted names may differ. */
export function merged(findings: readonly Finding[]): Finding[] {
  return [...Map.groupBy(findings, sameness).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    return others.length === 0 ? [first] : [{ ...first, occurrences: others.length + 1 }]
  })
}

/**
 * Equal for findings with one cause: findings that say the same about different ids and names, and all findings from
 * the same server failure, regardless of what they expected.
 */
export function sameness({ requirement, expected, request = '', answer = '' }: Finding): string {
  const [failure] = /^HTTP 5\d\d/.exec(answer) ?? []
  if (failure !== undefined) return `${failure} ${withoutNumbers(requestLine(request))}`
  return `${requirement} ${withoutNumbers(expected.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))}`
}

/** Method and address, without parameters and caller. */
export function requestLine(request: string): string {
  return request.split(/[?\n]| as /, 1)[0] ?? ''
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/-?\d+/g, '0')
}

const mark = ', after ['

function withoutSteps(expected: string): { words: string; steps: readonly string[] } {
  const at = expected.lastIndexOf(mark)
  if (at < 0) return { words: expected, steps: [] }
  try {
    const list = JSON.parse(expected.slice(at + mark.length - 1)) as Record<string, unknown>[]
    return { words: expected.slice(0, at), steps: list.map(stepText) }
  } catch {
    return { words: expected, steps: [] }
  }
}

/** `send: who 2, channel 1, topic "plans"` */
function stepText({ kind, ...others }: Record<string, unknown>): string {
  const details = Object.entries(others).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return details.length === 0 ? String(kind) : `${kind}: ${details.join(', ')}`
}

function shortened(text: string): string {
  const most = 4000
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`
}
