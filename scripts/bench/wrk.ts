import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The result of one run of wrk. */
export interface Load {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answered requests. */
  readonly requests: number
}

export interface LoadOptions {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** Path of a script that `luaScript` wrote. */
  readonly script: string
}

/** wrk's version, or undefined if it is not installed. */
export function wrkVersion(): string | undefined {
  // `wrk -v` prints its version, its usage, and exits with 1.
  const { error, stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' })
  return error ? undefined : (/^wrk \S*(?: \[\w+\])?/.exec(stdout)?.[0] ?? 'wrk').replace(/ \[\w+\]$/, '')
}

/** A request. wrk sends the requests of a script in turn, on all connections. */
export interface LuaRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const DONE = `
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format('RESULT %d %d %d %d %d', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), failed))
end
`

/** Writes a Lua script that sends `requests` in turn and prints what `load` reads. Returns its path. */
export async function luaScript(folder: string, name: string, requests: readonly LuaRequest[]): Promise<string> {
  const file = join(folder, `${name}.lua`)
  const lines = requests.map(({ method, path, headers, body }) => {
    const fields = Object.entries(headers).map(([key, value]) => `[${quoted(key)}] = ${quoted(value)}`)
    return `  wrk.format('${method}', ${quoted(path)}, { ${fields.join(', ')} }, ${body === undefined ? 'nil' : quoted(body)}),`
  })
  // wrk.format needs the Host of the URL, which wrk knows when it calls init.
  const source = `local requests, next = {}, 0
function init(args)
  requests = {
${lines.join('\n')}
  }
end
function request()
  next = next % #requests + 1
  return requests[next]
end
${DONE}`
  await writeFile(file, source)
  return file
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, (one) => [...Buffer.from(one)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''))}"`
}

/** @throws {Error} if an answer was not 2xx, or a connection failed: such numbers mean nothing */
export async function load({ url, connections, seconds, script }: LoadOptions): Promise<Load> {
  const args = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`]
  const { stdout } = await promisify(execFile)('wrk', [...args, '--script', script, url])
  const found = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout)
  if (!found) throw new Error(`wrk printed no result:\n${stdout}`)
  const [requests = 0, durationUs = 1, p50Us = 0, p99Us = 0, failed = 0] = found.slice(1).map(Number)
  if (failed > 0) throw new Error(`${failed} of ${requests} requests to ${url} failed`)
  return { perSecond: (requests * 1e6) / durationUs, p50Ms: p50Us / 1000, p99Ms: p99Us / 1000, requests }
}
