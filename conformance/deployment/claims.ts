import type { Exchange, Http, Request } from '../wire/http.ts'
import { CannotRunError } from './credentials.ts'

/** A server's claims about itself. */
export interface Claims {
  readonly level: number
  readonly isParley: boolean
  /** Whether the suite may read its metrics. */
  readonly areMetricsForUs: boolean
  /** Whether it was started for tests on this machine, so that the suite may move its clock. */
  readonly isStandIn: boolean
}

/** The suite knows how servers of this level and newer ones behave. */
const oldestLevel = 263

/** @throws {CannotRunError} if no such server answers */
export async function claimsOf(http: Http): Promise<Claims> {
  const settings = await http.send(anonymous('GET', '/api/v1/server_settings'))
  const level = settings.body?.zulip_feature_level
  if (settings.status !== 200 || !Number.isInteger(level)) {
    const location = settings.headers.get('location')
    const told = `HTTP ${settings.status}${location === null ? '' : `, to ${location}`}`
    throw new CannotRunError(`${settings.url} states no feature level (${told}): ${settings.text.slice(0, 200)}`)
  }
  requireKnownLevel(level)
  const own = await http.send(anonymous('GET', '/api/v1/openapi.json'))
  const isParley = isDocumentOfParley(own)
  const areMetricsForUs = isParley && (await readsMetrics(http))
  return { level, isParley, areMetricsForUs, isStandIn: isParley && isHere(http.url) && isRuled(own) }
}

/** @throws {CannotRunError} if the suite cannot test servers of this level */
export function requireKnownLevel(level: number): void {
  if (level < oldestLevel) {
    throw new CannotRunError(
      `the server is at feature level ${level}, and the suite tests servers of level ${oldestLevel} (of 2024) or newer`,
    )
  }
}

/** Whether this is a Parley server's answer to GET /openapi.json. */
export function isDocumentOfParley({ status, body }: Exchange): boolean {
  return status === 200 && body?.info?.title === 'Parley'
}

/** Remote servers are not asked, because anything may be at that path there. */
function isHere(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** The OpenAPI document of a server for tests has the operations that control it. */
function isRuled({ body }: Exchange): boolean {
  return body?.paths?.['/testing/advance']?.post?.['x-parley-only'] === true
}

function anonymous(method: string, path: string): Request {
  return { method, path, as: undefined, caller: 'nobody' }
}

/** The operator decides whether others may read metrics; if not, the answer is 401 or 404. */
async function readsMetrics(http: Http): Promise<boolean> {
  const { status } = await http.send(anonymous('GET', '/metrics'))
  return status !== 401 && status !== 404
}
