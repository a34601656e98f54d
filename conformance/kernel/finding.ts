import { curlScript } from '../wire/curl.ts'
import type { Exchange } from '../wire/http.ts'

/** A violated requirement, with what shows it. */
export interface Finding {
  readonly requirement: string
  /** The requirement in words. */
  readonly says: string
  /** What was expected of this answer in particular. */
  readonly expected: string
  readonly request?: string
  readonly answer?: string
  /** Shell script that sends the request again. */
  readonly curl?: string
  /** Flags of a run that finds this again. */
  readonly replay?: string
}

export function findingOf(requirement: string, says: string, expected: string, exchange: Exchange): Finding {
  const { request, status, headers, text } = exchange
  const type = headers.get('content-type') ?? 'no content type'
  const body = request.raw?.body ?? String(new URLSearchParams((request.form ?? []) as [string, string][]))
  return {
    requirement,
    says,
    expected,
    request: shortened(`${request.method} ${request.path} as ${request.caller}${body === '' ? '' : `\n${body}`}`),
    answer: shortened(`HTTP ${status}, ${type}\n${text}`),
    curl: curlScript(exchange),
  }
}

function shortened(text: string): string {
  const most = 4000
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`
}
