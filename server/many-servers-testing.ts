/**
 * A process with many servers, for tests that know them only by address. Each request gives the settings of one more
 * server, and the answer is its address. They share compiled code, so each costs a tenth of a separate process.
 */
import '../secrets/cheap-passwords-testing.mjs'
import { configFrom } from './config.ts'
import { createParley, type Parley } from './create-parley.ts'
import { openStandIn } from './stand-in/open-stand-in.ts'

export interface ServerRequest {
  readonly id: number
  /** Environment variables; undefined stops the server with that id. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface ServerAnswer {
  readonly id: number
  readonly url?: string
  /** The reason why it did not start or stop. */
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
