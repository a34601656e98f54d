import { join } from 'node:path'
import { measureCrowd, ROOM } from './polls.ts'
import { onMariaDb, type Running, type StartedServer, startBareServer, startServer } from './processes.ts'
import { table, whole } from './report.ts'
import { authorization, bodyOf, NEWEST, prepareWorkload, SENT, sendsOf, type Workload } from './requests.ts'
import { spread } from './results.ts'
import { load, luaScript } from './wrk.ts'

const MOST_PROCESSES = 3
const CONNECTIONS = 48
const POLLS = 10_000
const ROUNDS = 4
const SECONDS = 2

/** Measures one, two and three processes on one MariaDB, and as many of bare node:http. */
export function measureSeveral(folder: string, say: (what: string) => void): Promise<string> {
  return onMariaDb(async (DATABASE_URL) => {
    const shared = { PARLEY_SECRET: 'what all processes know, in 32 characters or more', PARLEY_UPLOADS: folder }
    const environment = { ...ROOM, ...shared, DATABASE_URL }
    const servers: StartedServer[] = []
    const rows: string[][] = []
    let work: Workload | undefined
    for (let count = 1; count <= MOST_PROCESSES; count += 1) {
      say(`processes: ${count}`)
      const dataFolder = join(folder, String(count))
      const server = await startServer({ dataFolder, environment })
      servers.push(server)
      work ??= await prepareWorkload(server, dataFolder)
      const page = { method: 'GET', path: NEWEST, headers: authorization(work.reader) } as const
      const sends = await rate(servers, await luaScript(folder, 'sends', sendsOf(work)), SENT)
      const pages = await rate(servers, await luaScript(folder, 'pages', [page]), await bodyOf(server, page))
      const { lastByte, others } = await measureCrowd(servers, work, POLLS)
      rows.push([String(count), sends, pages, lastByte, others])
    }
    const polls = `${whole(POLLS)} parked polls, last byte`
    return `.\n\n${table(['processes', 'sends', 'pages of 100', polls, 'others meanwhile, p99'], rows)}`
  })
}

/** Answers a second of all together, and their part of what as many of bare node:http give. */
async function rate(servers: readonly Running[], script: string, body: string): Promise<string> {
  const bare = await Promise.all(servers.map(() => startBareServer({ body })))
  const once = async (targets: readonly Running[]): Promise<number> => {
    const connections = CONNECTIONS / targets.length
    const loads = await Promise.all(targets.map(({ url }) => load({ url, connections, seconds: SECONDS, script })))
    return loads.reduce((sum, { perSecond }) => sum + perSecond, 0)
  }
  const [rates, parts]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [found, floor] = [await once(servers), await once(bare)]
    // The first round is a warm-up.
    if (round === 0) continue
    rates.push(found)
    parts.push(found / floor)
  }
  await Promise.all(bare.map((one) => one.stop()))
  return `${whole(spread(rates).median)}/s (${(100 * spread(parts).median).toFixed(1)} %)`
}
