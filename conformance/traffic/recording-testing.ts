import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface Named {
  readonly name: string
  readonly value: string
}

/** An entry of an HTTP archive, which tests may change. */
export interface RecordedEntry {
  startedDateTime: string
  time: number
  request: { method: string; url: string; headers: Named[]; postData?: { mimeType: string; text: string } }
  response: {
    status: number
    headers: Named[]
    content: { size: number; mimeType: string; text?: string; encoding?: string }
  }
}

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
      ...{ method, headers: passed.map(({ name, value }): [string, string] => [name, value]) },
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
        ...{ method, url: `${address}${url}`, headers: asked },
        ...(sent.length > 0 && { postData: { mimeType: headers['content-type'] ?? '', text: sent.toString('utf8') } }),
      },
      response: {
        ...{ status: answer.status, headers: named(told) },
        content: { size: body.length, mimeType: answer.headers.get('content-type') ?? '', text: body.toString('utf8') },
      },
    })
    outgoing.writeHead(answer.status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: address,
    entries,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise<unknown>((resolve) => server.close(resolve))
    },
  }
}

export function archiveOf(entries: readonly RecordedEntry[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } })
}

function named(pairs: readonly [string, string][]): Named[] {
  return pairs.map(([name, value]) => ({ name, value }))
}
