import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type Koa from 'koa'
import { pino } from 'pino'
import { type AppParts, createApp } from './app.ts'
import { type Config, embeddedConfig } from './config.ts'
import { Metrics } from './metrics.ts'
import { Traffic } from './traffic/traffic.ts'

interface Given {
  readonly services: object
  readonly authenticator: object
  readonly rendering?: AppParts['rendering']
}

/** The pipeline over these services, without a database, and its log. */
export async function bareApp({ services, authenticator, rendering }: Given, changes: Partial<Config> = {}) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const config = embeddedConfig({ dataFolder: '/nowhere', rateLimits: false, ...changes })
  const metrics = new Metrics({ counts: { queues: 0, parked: 0 } } as never)
  const app = await createApp({
    config,
    db: { upToDate: async () => undefined } as never,
    services: services as never,
    authenticator: authenticator as never,
    rendering: rendering ?? { of: () => ({}) as never },
    images: { of: () => ({}) } as never,
    metrics,
    traffic: new Traffic(config, metrics),
    log,
    definition: JSON.parse(readFileSync(new URL('../generated/decoded.json', import.meta.url), 'utf8')),
  })
  return { app, lines }
}

/** Serves it until the tests of the file are over. @returns the address */
export async function served(app: Koa): Promise<string> {
  const server = createServer(app.callback())
  after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
