import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type DatabaseLocation, hasDatabase } from '../db/database.ts'
import type { Session } from '../db/session.ts'
import { perform } from './admin.ts'
import { type Config, embeddedConfig } from './config.ts'
import { createParley, type Parley } from './create-parley.ts'
import type { DemoCredentials } from './first-start.ts'
import { ApiClient, accountsOf, type Dialect, emptyDatabase, inRows, migratedDatabase } from './testing.ts'

/** A data folder and a database, on which tests start servers and run commands. */
export class Ground {
  readonly dataFolder: string
  readonly #location: DatabaseLocation
  readonly #changes: Partial<Config>
  readonly #servers: Parley[] = []

  private constructor(dataFolder: string, location: DatabaseLocation, changes: Partial<Config>) {
    this.dataFolder = dataFolder
    this.#location = location
    this.#changes = changes
  }

  /** @param isEmpty whether the database has no tables yet */
  static async make(t: TestContext, dialect: Dialect, changes: Partial<Config> = {}, isEmpty = false): Promise<Ground> {
    const dataFolder = await mkdtemp(join(tmpdir(), 'parley-ground-'))
    const { location, remove } = await (isEmpty ? emptyDatabase : migratedDatabase)(dialect)
    const ground = new Ground(dataFolder, location, changes)
    t.after(async () => {
      for (const parley of ground.#servers) await parley.stop()
      await remove()
      await rm(dataFolder, { recursive: true, force: true })
    })
    return ground
  }

  /** Starts a server, which is stopped at the end unless the test has stopped it. */
  async start(): Promise<RunningParley> {
    const settings = { database: this.#location, checkAnswers: true, rateLimits: false, logLevel: 'error' } as const
    const parley = await createParley(embeddedConfig({ dataFolder: this.dataFolder, ...settings, ...this.#changes }))
    this.#servers.push(parley)
    const { url, credentials } = await parley.start({ port: 0 })
    return { parley, url, credentials, as: accountsOf(url, credentials) }
  }

  /** Settings for commands and server processes. */
  get environment(): Readonly<Record<'PARLEY_DATA' | 'DATABASE_URL', string>> {
    const location = this.#location
    const url = location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url
    return { PARLEY_DATA: this.dataFolder, DATABASE_URL: url }
  }

  /** Reads or changes rows without the running server. */
  inDatabase<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return inRows(this.#location, work)
  }

  async hasNoDatabase(): Promise<boolean> {
    return !(await hasDatabase(this.#location))
  }

  /** Runs an operator's command. @returns its output */
  run(...args: readonly string[]): Promise<readonly string[]> {
    return perform(args, this.environment, () => undefined)
  }
}

export interface RunningParley {
  readonly parley: Parley
  readonly url: string
  /** Credentials of the organization created by the first start. */
  readonly credentials: DemoCredentials | undefined
  /** Account of the organization created by the first start. */
  as(key: string): ApiClient
}

/** Logs in with a password. @throws {Error} if the server refuses */
export async function logIn(url: string, username: string, password: string): Promise<ApiClient> {
  const body = new URLSearchParams({ username, password })
  const response = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body })
  const answer = (await response.json()) as { api_key: string; email: string; user_id: number; msg: string }
  if (response.status !== 200) throw new Error(answer.msg)
  return new ApiClient(url, answer)
}
