import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from '../testing.ts'
import type { Entry } from './recording.ts'

type Writable<T> = { -readonly [Key in keyof T]: Writable<T[Key]> }

/** An entry of an HTTP archive, which tests may change. */
export type RecordedEntry = Writable<Entry>

/** Passes requests on to the server at `target`, and writes down what it has seen as an HTTP archive. */
export async function recordingProxy(target: string) {
  const entries: RecordedEntry[] = []
  const server = createServer(async (incoming, outgoing) => {
    const startedAt = Date.now()
    const { method = 'GET', headers, url = '' } = incoming
    const sent = await buffer(incoming)
    const asked = named(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
    const passed = asked.filter(({ name }) => !['host', 'connection', 'content-length'].includes(name))
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: passed.map(({ name, value }): [string, string] => [name, value]),
      ...(sent.length > 0 && { body: new Uint8Array(sent) }),
    })
    const body = Buffer.from(await answer.arrayBuffer())
    const told: [string, string][] = []
    answer.headers.forEach((value, name) => {
      told.push([name, value])
      if (!['connection', 'keep-alive', 'transfer-encoding'].includes(name)) outgoing.setHeader(name, value)
    })
    entries.push({
      startedDateTime: new Date(startedAt).toISOString(),
      time: Date.now() - startedAt,
      request: {
        method,
        url: `${proxy.url}${url}`,
        headers: asked,
        ...(sent.length > 0 && { postData: { mimeType: headers['content-type'] ?? '', text: sent.toString('utf8') } }),
      },
      response: {
        status: answer.status,
        headers: named(told),
        content: { size: body.length, mimeType: answer.headers.get('content-type') ?? '', text: body.toString('utf8') },
      },
    })
    outgoing.writeHead(answer.status).end(body)
  })
  const proxy = await listening(server)
  return { ...proxy, entries }
}

export function archiveOf(entries: readonly RecordedEntry[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } })
}

function named(pairs: readonly [string, string][]) {
  return pairs.map(([name, value]) => ({ name, value }))
}
