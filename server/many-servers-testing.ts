/**
 * A process with many servers, for who is told of them by address only: each request is the settings of one more, and the answer
 * is where it listens. They share what one process has compiled, so each costs a tenth of a process of its own.
 */
import '../secrets/cheap-passwords-testing.mjs'
import { configFrom } from './config.ts'
import { createParley, type Parley } from './create-parley.ts'
import { openStandIn } from './stand-in/open-stand-in.ts'

export interface ServerRequest {
  readonly id: number
  /** Environment variables; undefined: the server of that id is to stop. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface ServerAnswer {
  readonly id: number
  readonly url?: string
  /** Why it did not start or stop. */
  readonly failure?: string
}

const servers = new Map<number, Pick<Parley, 'stop'>>()

async function answered({ id, settings }: ServerRequest): Promise<ServerAnswer> {
  try {
    if (settings === undefined) {
      await servers.get(id)?.stop()
      servers.delete(id)
      return { id }
    }
    const config = configFrom(settings, [])
    if (config === 'help') throw new Error('settings ask for help')
    const parley = await (config.testing === 'off' ? createParley(config) : openStandIn(config))
    servers.set(id, parley)
    return { id, url: (await parley.start()).url }
  } catch (err) {
    return { id, failure: err instanceof Error ? (err.stack ?? err.message) : String(err) }
  }
}

process.on('message', async (request: ServerRequest) => {
  process.send?.(await answered(request))
})
process.on('disconnect', () => process.exit())
