import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { DatabaseLocation } from '../../db/database.ts'
import { perform } from '../admin.ts'
import { type Config, embeddedConfig } from '../config.ts'
import { createParley, type Parley } from '../create-parley.ts'
import { ApiClient, type Dialect, emptyDatabase, migratedDatabase } from '../testing.ts'

/** A data folder and a database, on which tests start servers and run commands. */
export class Ground {
  readonly dataFolder: string
  readonly #location: DatabaseLocation
  readonly #changes: Partial<Config>

  private constructor(dataFolder: string, location: DatabaseLocation, changes: Partial<Config>) {
    this.dataFolder = dataFolder
    this.#location = location
    this.#changes = changes
  }

  /** @param isEmpty whether the database has no tables yet */
  static async make(t: TestContext, dialect: Dialect, changes: Partial<Config> = {}, isEmpty = false): Promise<Ground> {
    const dataFolder = await mkdtemp(join(tmpdir(), 'parley-operator-'))
    t.after(() => rm(dataFolder, { recursive: true, force: true }))
    const { location, remove } = await (isEmpty ? emptyDatabase : migratedDatabase)(dialect)
    t.after(remove)
    return new Ground(dataFolder, location, changes)
  }

  /** Starts a server, which `t` stops where nobody else has. */
  async start(t: TestContext): Promise<RunningParley> {
    const settings = { database: this.#location, checkAnswers: true, rateLimits: false, logLevel: 'error' } as const
    const parley = await createParley(embeddedConfig({ dataFolder: this.dataFolder, ...settings, ...this.#changes }))
    t.after(() => parley.stop())
    const { url, credentials } = await parley.start({ port: 0 })
    return { parley, url, as: (key) => new ApiClient(url, credentials?.users[key] ?? nobody(key)) }
  }

  /** Runs a command of operators. @returns what it prints */
  run(...args: readonly string[]): Promise<readonly string[]> {
    const location = this.#location
    const url = location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url
    return perform(args, { PARLEY_DATA: this.dataFolder, DATABASE_URL: url }, () => undefined)
  }
}

interface RunningParley {
  readonly parley: Parley
  readonly url: string
  /** Account of the organization that the first start has made. */
  as(key: string): ApiClient
}

function nobody(key: string): never {
  throw new Error(`the organization has no account '${key}'`)
}

/** Logs in with a password. @throws Error when the server refuses */
export async function logIn(url: string, username: string, password: string): Promise<ApiClient> {
  const body = new URLSearchParams({ username, password })
  const response = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body })
  const answer = (await response.json()) as { api_key: string; email: string; user_id: number; msg: string }
  if (response.status !== 200) throw new Error(answer.msg)
  return new ApiClient(url, answer)
}
