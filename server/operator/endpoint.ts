import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ApiError } from '../../domain/errors.ts'
import { writeWhole } from '../data-folder.ts'
import { createServer } from '../http.ts'
import { listen } from '../listening.ts'
import type { Logger } from '../logger.ts'
import { type Given, OperatorError, type Outcome, type RowsOfServer } from './command.ts'

const FILE = 'operator.json'
const RUN = '/run'

/**
 * File with the address at which a running server listens for commands. Everybody who may read its data folder can read
 * it.
 */
interface Address {
  readonly url: string
  readonly token: string
}

/** Whether a server runs there, or was killed and left its address. */
export function hasEndpoint(dataFolder: string): boolean {
  return existsSync(join(dataFolder, FILE))
}

/**
 * Entry for `npm run admin` into a running server: a listener on the loopback interface with a token that only readers
 * of the data folder know. Commands therefore run in the process that follows the log, and everybody is told of their
 * changes at once. On SQLite, writes of a second process would go unnoticed.
 */
export class OperatorEndpoint {
  readonly #server: Server
  readonly #file: string

  private constructor(server: Server, file: string) {
    this.#server = server
    this.#file = file
  }

  static async open(dataFolder: string, rows: RowsOfServer, log: Logger): Promise<OperatorEndpoint> {
    const token = randomBytes(32).toString('base64url')
    const server = createServer((request, response) => {
      answer(request, response, { token, rows }).catch((err: unknown) => {
        log.error({ err }, 'command of an operator failed')
        reply(response, 500, { error: 'The server failed; its log says why' })
      })
    })
    const address: Address = { url: await listen(server, 0, '127.0.0.1'), token }
    const file = join(dataFolder, FILE)
    writeWhole(file, JSON.stringify(address))
    return new OperatorEndpoint(server, file)
  }

  async close(): Promise<void> {
    rmSync(this.#file, { force: true })
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }
}

interface Behind {
  readonly token: string
  readonly rows: RowsOfServer
}

async function answer(request: IncomingMessage, response: ServerResponse, { token, rows }: Behind): Promise<void> {
  const [, shown = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
  if (request.method !== 'POST' || !timingSafeEqual(digest(shown), digest(token))) {
    return reply(response, 401, { error: 'This is for operators of the server alone' })
  }
  if (request.url !== RUN) return reply(response, 404, { error: 'There is nothing here' })
  const { command: name, given } = JSON.parse(await text(request)) as { command: string; given: Given }
  // Loaded with the first command, because most servers get none.
  const { COMMANDS } = await import('./commands.ts')
  const command = COMMANDS.find((one) => one.name === name)
  if (command?.kind !== 'rows') {
    return reply(response, 404, { error: `The server that runs knows no command ${name}: is it of another release?` })
  }
  try {
    reply(response, 200, await command.run(rows, given))
  } catch (err) {
    if (!(err instanceof OperatorError || err instanceof ApiError)) throw err
    reply(response, 400, { error: err.message })
  }
}

function reply(response: ServerResponse, status: number, body: Outcome | { error: string }): void {
  if (response.headersSent) return
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(JSON.stringify(body))
}

/** Has a fixed length, so that comparing takes the same time for every input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Runs a command in the server of the data folder.
 *
 * @throws {OperatorError} with the message of the server, or if it has no entry because it is just starting or stopping
 */
export async function runInServer(dataFolder: string, command: string, given: Given): Promise<Outcome> {
  const written = await readFile(join(dataFolder, FILE), 'utf8').catch(() => undefined)
  if (written === undefined) throw new OperatorError('The server is just starting or stopping: try again in a moment')
  const { url, token } = JSON.parse(written) as Address
  let response: Response
  try {
    response = await fetch(`${url}${RUN}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ command, given }),
    })
  } catch (err) {
    throw new OperatorError('The server does not answer: it is just starting or stopping, or hangs', { cause: err })
  }
  const body = (await response.json()) as Outcome | { error: string }
  if ('error' in body) throw new OperatorError(body.error)
  return body
}
