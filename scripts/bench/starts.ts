import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cloneCheckout } from '../clone-testing.ts'
import type { EmbeddedResult } from './embedded.ts'
import { runTask, type StartedServer, startServer } from './processes.ts'
import { type Starts, spread } from './results.ts'
import { residentMiB } from './usage.ts'

/**
 * Measures each kind of start `rounds` times, except for the first start, on the folder `prepared`, which has an
 * organization.
 */
export async function measureStarts(folder: string, prepared: string, rounds: number): Promise<Starts> {
  const embedded: EmbeddedResult[] = []
  const throughNpm: number[] = []
  const alone: number[] = []
  const resident: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const start = await runTask('embedded', { dataFolder: join(folder, `embedded-${round}`) })
    const npm = await startServer({ dataFolder: prepared, isThroughNpm: true })
    await npm.stop()
    const server = await startServer({ dataFolder: prepared })
    const memory = residentMiB(server)
    await server.stop()
    // The first start fills the compile cache.
    if (round === 0) continue
    embedded.push(start)
    throughNpm.push(npm.startMs)
    alone.push(server.startMs)
    resident.push(memory)
  }
  return {
    embedded: spread(embedded.map(({ startMs }) => startMs)),
    embeddedWithImports: spread(embedded.map(({ withImportsMs }) => withImportsMs)),
    npmStart: spread(throughNpm),
    process: spread(alone),
    first: await firstStart(folder),
    residentMiB: spread(resident),
  }
}

/** `npm start` in a copy without generated files, compile cache and data. */
async function firstStart(folder: string): Promise<number> {
  const clone = join(folder, 'clone')
  await cloneCheckout(clone)
  const environment = { NODE_COMPILE_CACHE: join(folder, 'compile-cache') }
  const server: StartedServer = await startServer({
    dataFolder: join(folder, 'first'),
    cwd: clone,
    environment,
    isThroughNpm: true,
  })
  await server.stop()
  await rm(clone, { recursive: true })
  return server.startMs
}
