import { join } from 'node:path'
import { basic } from '../../server/testing.ts'
import { BareClient } from './bare-client.ts'
import { type OrganizationSize, seedOrganization, settleOrganization } from './organization.ts'
import { demoCredentials, type StartedServer, startBareServer, startServer } from './processes.ts'
import { table, whole } from './report.ts'
import { spread } from './results.ts'
import { processorUs } from './usage.ts'

const SMALL = { messages: 10_000, channels: 100, subscribers: 100 }
const BUSY = { messages: 1_000_000, channels: 200, subscribers: 500 }
const ORGANIZATIONS: readonly { readonly name: string; readonly size?: OrganizationSize }[] = [
  { name: 'the demo organization' },
  { name: '1,000 users, 200 channels, 1 million messages', size: BUSY },
  { name: '… 50,000 of them unread, scattered', size: { ...BUSY, unreadOneOf: 20 } },
  { name: '10,000 channels', size: { ...SMALL, channels: 10_000 } },
  { name: '10,000 users', size: { ...SMALL, subscribers: 10_000 } },
]

const TIMES = 25
const CONNECTIONS = 16
const TOGETHER = 50
/** A client with all capabilities. */
const FORM = new URLSearchParams({
  apply_markdown: 'true',
  slim_presence: 'true',
  client_capabilities: JSON.stringify({
    archived_channels: true,
    bulk_message_deletion: true,
    empty_topic_name: true,
    include_deactivated_groups: true,
    linkifier_url_template: true,
    notification_settings_null: true,
    simplified_presence_events: true,
    stream_typing_notifications: true,
    user_avatar_url_field_optional: true,
    user_settings_object: true,
  }),
}).toString()

/** Measures POST /register for everything, in organizations of different kinds, each right after a start. */
export async function measureRegisters(folder: string, say: (what: string) => void): Promise<string> {
  const rows: string[][] = []
  for (const [index, { name, size }] of ORGANIZATIONS.entries()) {
    say(name)
    const dataFolder = join(folder, `registers-${index}`)
    await (await startServer({ dataFolder })).stop()
    const { users } = await demoCredentials(dataFolder)
    const people = ['member', 'member2', 'owner', 'admin', 'moderator'].flatMap((key) => users[key] ?? [])
    if (size) {
      const file = join(dataFolder, 'parley.sqlite')
      const readerIds = people.slice(0, 2).map((login) => login.user_id)
      seedOrganization(file, readerIds, size)
      await settleOrganization(file)
    }
    const server = await startServer({ dataFolder })
    const accounts = people.map((login) => basic(login.email, login.api_key))
    rows.push([name, ...(await measured(server, accounts, size === undefined))])
    await server.stop()
  }
  const times = ['first', 'somebody else', 'later, p50', 'floor: bare node:http', 'processor time']
  return `.\n\n${table(['POST /register, everything', 'answer', ...times, `${CONNECTIONS} connections`], rows)}`
}

/** @param isSmall whether many can register at the same time */
async function measured(server: StartedServer, accounts: readonly string[], isSmall: boolean): Promise<string[]> {
  const client = new BareClient(server.url)
  const [reader = '', other = ''] = accounts
  const queues: { id: string; account: string }[] = []
  let body = ''
  const register = async (account: string): Promise<number> => {
    const { text, ms } = await client.call('POST', '/api/v1/register', account, FORM)
    queues.push({ id: /"queue_id":"([^"]+)"/.exec(text)?.[1] ?? '', account })
    body = text
    return ms
  }
  const tidy = async (): Promise<void> => {
    for (const { id, account } of queues.splice(0)) {
      await client.call('DELETE', `/api/v1/events?queue_id=${id}`, account)
    }
  }
  const [firstMs, secondMs] = [await register(reader), await register(other)]
  for (let turn = 0; turn < 5; turn += 1) await register(reader)
  const before = processorUs(server)
  const later: number[] = []
  for (let turn = 0; turn < TIMES; turn += 1) later.push(await register(reader))
  const processor = (processorUs(server) - before) / TIMES
  await tidy()
  const rates: number[] = []
  for (let round = 0; isSmall && round < 6; round += 1) {
    const start = performance.now()
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, connection) => {
        const account = accounts[connection % accounts.length] ?? ''
        for (let turn = 0; turn < TOGETHER; turn += 1) await register(account)
      }),
    )
    // The first rounds are a warm-up.
    if (round > 1) rates.push((CONNECTIONS * TOGETHER * 1000) / (performance.now() - start))
    await tidy()
  }
  client.close()
  const bytes = Buffer.byteLength(body)
  const times = [firstMs, secondMs, spread(later).median, await floorMs(bytes)]
  return [
    `${whole(bytes / 1000)} kB`,
    ...times.map((ms) => `${ms.toFixed(1)} ms`),
    `${whole(processor)} µs`,
    isSmall ? `${whole(spread(rates).median)}/s` : '',
  ]
}

async function floorMs(bytes: number): Promise<number> {
  const server = await startBareServer({ body: 'x', times: bytes })
  const client = new BareClient(server.url)
  const times: number[] = []
  for (let turn = 0; turn < TIMES + 5; turn += 1) times.push((await client.call('POST', '/', '', FORM)).ms)
  client.close()
  await server.stop()
  return spread(times.slice(-TIMES)).median
}
