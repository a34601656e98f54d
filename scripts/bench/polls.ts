import { join } from 'node:path'
import { BareClient } from './bare-client.ts'
import { type Running, runTask, type StartedServer, startBareServer, startServer } from './processes.ts'
import { table, whole } from './report.ts'
import { authorization, prepareWorkload, sendForm, type Workload } from './requests.ts'
import { spread } from './results.ts'

const CROWDS = [1000, 10_000]
const ROUNDS = 4
const BEHIND = 100_000
/** All polls come from one address. */
export const ROOM = {
  PARLEY_MAX_CONNECTIONS: '20000',
  PARLEY_MAX_CONNECTIONS_PER_ADDRESS: '20000',
  PARLEY_MAX_CONNECTIONS_PER_ACCOUNT: '20000',
}

export async function measurePolls(folder: string, say: (what: string) => void): Promise<string> {
  const dataFolder = join(folder, 'polls')
  const server = await startServer({ dataFolder, environment: ROOM })
  const work = await prepareWorkload(server, dataFolder)
  const { reader, senders } = work
  const receivers = senders.map((one) => authorization(one).Authorization)
  const { headers, body: form } = sendForm(reader)
  const account = headers.Authorization
  const rows: [string, string][] = []
  for (const polls of CROWDS) {
    say(`${polls} parked polls`)
    const { lastByte, sender, others } = await measureCrowd([server], work, polls)
    rows.push([`${whole(polls)} parked polls, one message to all: last byte`, lastByte])
    rows.push(['… the sender has its own answer', sender])
    rows.push(['… others meanwhile, p99', others])
  }
  say('polls that wait')
  const polls = Math.max(...CROWDS)
  const waiting = { polls, receivers, stranger: account }
  const parley = await runTask('parked', { url: server.url, pid: server.child.pid, ...waiting })
  const bare = await onBareServer('{}', ({ url, child }) =>
    runTask('parked', { url, pid: child.pid, polls, receivers }),
  )
  const [without, withPolls] = parley.eventUs
  rows.push([
    `an event that none of ${whole(polls)} parked polls can see, beyond what it costs without them`,
    `${((withPolls - without) / 1000).toFixed(2)} ms (${whole(without)} µs without)`,
  ])
  rows.push([
    'memory per parked poll',
    `${parley.kibibytesAPoll.toFixed(1)} KiB, bare node:http ${bare.kibibytesAPoll.toFixed(1)} KiB`,
  ])
  say('a queue that is behind')
  const behind = { url: server.url, events: BEHIND, reader: account, senders: receivers, form }
  rows.push([
    `catch-up of a queue ${whole(BEHIND)} events behind`,
    `${whole(await runTask('behind', behind))} events/s`,
  ])
  say('restart')
  const { startMs, pollMs, queues } = await restarted(server, dataFolder, account)
  rows.push([`restart with ${whole(queues)} living queues: first answer`, `${whole(startMs)} ms`])
  rows.push(['… first poll', `${whole(pollMs)} ms`])
  return `.\n\n${table(['event queues', 'measured'], rows)}`
}

/**
 * Sends one message to polls that are spread over the processes, and to as many of one bare node:http with the same
 * answer.
 */
export async function measureCrowd(servers: readonly Running[], { server, reader, senders }: Workload, polls: number) {
  const { headers, body: form } = sendForm(reader)
  const receivers = senders.map((one) => authorization(one).Authorization)
  const input = { polls, rounds: ROUNDS, receivers, sender: headers.Authorization, form }
  const parley = await runTask('fan-out', { urls: servers.map(({ url }) => url), ...input })
  const body = await polled(server.url, headers.Authorization, form)
  const floor = await onBareServer(body, ({ url }) => runTask('fan-out', { urls: [url], ...input }))
  const [last, bare] = [spread(parley.lastByteMs).median, spread(floor.lastByteMs).median]
  return {
    lastByte: `${whole(last)} ms, ${(last / bare).toFixed(1)} × bare node:http (${whole(bare)} ms)`,
    sender: `${whole(spread(parley.sendMs).median)} ms`,
    others: `${percentile(parley.othersMs, 0.99).toFixed(1)} ms`,
  }
}

/** Path of a poll of a new queue for messages. */
async function pollPath(client: BareClient, account: string): Promise<string> {
  const { text } = await client.call('POST', '/api/v1/register', account, 'event_types=["message"]')
  const { queue_id: id, last_event_id: last } = JSON.parse(text)
  return `/api/v1/events?queue_id=${id}&last_event_id=${last}`
}

/** The answer to a poll that gets one message. */
async function polled(url: string, account: string, form: string): Promise<string> {
  const client = new BareClient(url)
  const path = await pollPath(client, account)
  await client.call('POST', '/api/v1/messages', account, form)
  const { text } = await client.call('GET', path, account)
  client.close()
  return text
}

async function restarted(server: StartedServer, dataFolder: string, account: string) {
  const client = new BareClient(server.url)
  const path = await pollPath(client, account)
  const metrics = await client.call('GET', '/metrics', account)
  client.close()
  await server.stop()
  const again = await startServer({ dataFolder, environment: ROOM })
  const second = new BareClient(again.url)
  const { ms } = await second.call('GET', `${path}&dont_block=true`, account)
  second.close()
  await again.stop()
  const queues = Number(/^parley_event_queues\{state="all"\} (\d+)/m.exec(metrics.text)?.[1])
  return { startMs: again.startMs, pollMs: again.startMs + ms, queues }
}

async function onBareServer<T>(body: string, work: (server: Running) => Promise<T>): Promise<T> {
  const server = await startBareServer({ body })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN
}
