import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SqliteCopier } from '../../db/sqlite-backup.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { newApiKey } from '../../secrets/secrets.ts'
import { DiskStore } from '../../uploads/disk.ts'
import type { Config } from '../config.ts'
import {
  createOpenParley,
  createParley,
  type OpenParley,
  presentCredentials,
  readDefinition,
} from '../create-parley.ts'
import { credentialsFileIn } from '../data-folder.ts'
import type { DemoCredentials } from '../first-start.ts'
import type { Logger } from '../logger.ts'
import { makePerson } from '../operator/accounts.ts'
import { oneAtATime } from '../traffic/one-at-a-time.ts'
import type { Login } from './api-client.ts'
import type { Control } from './control.ts'
import type { Failure } from './failures.ts'
import { Front } from './front.ts'
import { Interference } from './interference.ts'
import { Journal, type JournalEntry } from './journal.ts'
import {
  clearState,
  copyState,
  freshFolder,
  keepClock,
  keptClock,
  snapshotOf,
  startOf,
  unfinishedOf,
} from './kept-state.ts'
import { MovableClock } from './movable-clock.ts'
import type { ResetOptions, Verbs } from './verbs.ts'

const DATABASE = 'parley.sqlite'
/** Maximum of `advance`, as over HTTP. */
const TEN_YEARS_MS = 315_360_000_000

/** Shared by all stand-ins of a process, by whether answers are checked. */
const definitions = new Map<boolean, Promise<object>>()

function definitionFor(config: Config): Promise<object> {
  const known = definitions.get(config.checkAnswers) ?? readDefinition(config)
  definitions.set(config.checkAnswers, known)
  return known
}

/** A server in this process behind an address that stays the same, regardless of what a test does to the server. */
export class LocalVerbs implements Verbs {
  readonly url: string
  readonly #config: Config
  readonly #clock: MovableClock
  readonly #front: Front
  readonly #interference: Interference
  readonly #journal: Journal
  #parley: OpenParley | undefined
  /** Runs verbs one after the other, in the order of the calls. */
  #last: Promise<unknown> = Promise.resolve()
  #isPaused = false
  #isStopped = false

  /**
   * @param config its database is SQLite in its data folder
   * @param control answers requests for the stand-in itself
   */
  static async open(config: Config, control?: Control): Promise<LocalVerbs> {
    const { dataFolder } = config
    const clock = new MovableClock()
    const [start, snapshot] = [startOf(dataFolder), snapshotOf(dataFolder)]
    if (!existsSync(join(dataFolder, DATABASE))) await (await createParley(config)).stop()
    if (config.testing !== 'again' || !existsSync(start)) {
      await Promise.all([start, snapshot].map((copy) => rm(copy, { recursive: true, force: true })))
      await copyState(dataFolder, start)
    }
    // The data may be from a future to which an earlier stand-in has moved the clock.
    clock.aheadMs = keptClock(dataFolder)
    let verbs: LocalVerbs | undefined
    const front = new Front(
      config,
      clock,
      (request, response) => (verbs && control?.(verbs, request, response)) ?? false,
    )
    const url = await front.listen(config.port, config.host)
    verbs = new LocalVerbs({ ...config, clock, publicUrl: config.publicUrl ?? url }, clock, front, url)
    try {
      await verbs.#start()
      return verbs
    } catch (err) {
      await front.close()
      throw err
    }
  }

  private constructor(config: Config, clock: MovableClock, front: Front, url: string) {
    this.#config = config
    this.#clock = clock
    this.#front = front
    this.url = url
    this.#journal = new Journal(clock)
    this.#interference = new Interference(clock, {
      held: (ctx) => this.#journal.name(ctx),
      moved: () => this.#keepClock(),
      registering: () => this.#tick(),
    })
  }

  /** Credentials of the organization that the first start created. */
  get credentials(): DemoCredentials | undefined {
    const { publicUrl = this.url } = this.#config
    return presentCredentials(credentialsFileIn(this.#config.dataFolder), publicUrl, this.#present.log)
  }

  get log(): Logger {
    return this.#present.log
  }

  advance(ms: number): Promise<void> {
    return this.#inOrder(async () => {
      if (!(Number.isFinite(ms) && ms >= 0 && ms <= TEN_YEARS_MS)) {
        throw new RangeError(`Time goes forward: expected milliseconds from 0 to ${TEN_YEARS_MS}`)
      }
      this.#clock.aheadMs += ms
      this.#keepClock()
      const { queues, jobs } = this.#present.inside
      await queues.beat()
      await jobs.runDue()
    })
  }

  expireQueues(): Promise<number> {
    return this.#inOrder(async () => {
      const { db, queues } = this.#present.inside
      const rows = await db.read.queues.all()
      await queues.end(rows.map(({ id }) => id))
      return rows.length
    })
  }

  failNext(failure: Failure): Promise<void> {
    return this.#inOrder(async () => this.#interference.failNext(failure))
  }

  limitRates(callsAMinute: number | null): Promise<void> {
    return this.#inOrder(async () => this.#interference.limitRates(callsAMinute))
  }

  pauseEvents(): Promise<void> {
    return this.#inOrder(async () => {
      this.#isPaused = true
      this.#present.inside.queues.hold()
    })
  }

  resumeEvents(): Promise<void> {
    return this.#inOrder(async () => {
      this.#isPaused = false
      await this.#present.inside.queues.release()
    })
  }

  restart(): Promise<void> {
    return this.#inOrder(async () => {
      await this.#end()
      await this.#start()
    })
  }

  snapshot(): Promise<void> {
    return this.#inOrder(async () => {
      const { dataFolder } = this.#config
      const folder = snapshotOf(dataFolder)
      const unfinished = unfinishedOf(folder)
      await this.#present.inside.queues.storeCursors()
      this.#keepClock()
      await freshFolder(unfinished)
      // As in a backup, the database comes first, and files that it names stay until they are copied.
      const stores = ['uploads', 'exports'].map((name) => new DiskStore(join(dataFolder, name)))
      const releases = await Promise.all(stores.map((store) => store.holdFiles()))
      try {
        await new SqliteCopier(join(dataFolder, DATABASE)).copy(unfinished, () => undefined)
        await copyState(dataFolder, unfinished, [DATABASE])
      } finally {
        await Promise.all(releases.map((release) => release()))
      }
      await rm(folder, { recursive: true, force: true })
      await rename(unfinished, folder)
    })
  }

  reset({ to }: ResetOptions = {}): Promise<void> {
    return this.#inOrder(async () => {
      // A caller in JavaScript may pass anything.
      if (to !== undefined && to !== 'start') throw new RangeError(`reset goes to 'start', not to '${to}'`)
      const { dataFolder } = this.#config
      const snapshot = snapshotOf(dataFolder)
      if (to === 'start') await rm(snapshot, { recursive: true, force: true })
      this.#isPaused = false
      this.#interference.clear()
      await this.#end()
      await clearState(dataFolder)
      await copyState(existsSync(snapshot) ? snapshot : startOf(dataFolder), dataFolder)
      this.#clock.aheadMs = keptClock(dataFolder)
      this.#journal.clear()
      await this.#start()
    })
  }

  newUser(fullName: string): Promise<Login> {
    return this.#inOrder(async () => {
      const { db, secrets, site } = this.#present.inside
      const apiKey = newApiKey()
      // Other letters by their numbers, so that two names in another script have two addresses.
      const latin = fullName.toLowerCase().replaceAll(/\P{ASCII}/gu, (letter) => `${letter.codePointAt(0)}`)
      const name = latin.replaceAll(/[^a-z0-9]+/g, '-') || 'user'
      return db.transaction(async (tx) => {
        let email = `${name}@parley.example`
        for (let count = 2; await tx.credentials.byEmail(email); count += 1) email = `${name}-${count}@parley.example`
        // No password, because hashing one takes longer than everything else.
        const person = { email, fullName, role: ROLE.member, passwordHash: null, apiKey }
        const { id } = await makePerson(tx, person, { secrets, site, clock: this.#clock })
        return { email, api_key: apiKey, user_id: id }
      })
    })
  }

  async requests(): Promise<readonly JournalEntry[]> {
    return structuredClone(this.#journal.entries)
  }

  /** Stops everything. */
  stop(): Promise<void> {
    return this.#inOrder(async () => {
      this.#interference.clear()
      try {
        await this.#end()
      } finally {
        this.#isStopped = true
        await this.#front.close()
      }
    })
  }

  get #present(): OpenParley {
    if (!this.#parley) throw new Error('The server of the stand-in did not start')
    return this.#parley
  }

  #keepClock(): void {
    keepClock(this.#config.dataFolder, this.#clock.aheadMs)
  }

  /**
   * Takes an ID of the log, so that each queue begins at its own ID, and an ID that a client sends can be attributed to
   * a queue.
   */
  #tick(): Promise<void> {
    return this.#present.inside.db.transaction(async (tx) => {
      tx.events.append({ type: 'tick' }, { to: 'nobody' })
    })
  }

  async #start(): Promise<void> {
    this.#interference.begin()
    const { intercept } = this.#interference
    const definition = await definitionFor(this.#config)
    const parley = await createOpenParley(this.#config, { intercept, underWay: this.#front.underWay, definition })
    parley.app.middleware.unshift(this.#journal.middleware)
    if (this.#isPaused) parley.inside.queues.hold()
    this.#parley = parley
    this.#front.pass(oneAtATime(parley.app.callback()))
  }

  /** Does nothing if the last start failed, so that a reset or a stop can still follow. */
  async #end(): Promise<void> {
    this.#front.pass(undefined)
    this.#interference.hurry()
    const parley = this.#parley
    this.#parley = undefined
    await parley?.stop()
    this.#front.closeConnections()
  }

  #inOrder<T>(verb: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => {
      if (this.#isStopped) throw new Error('The stand-in has been stopped')
      return verb()
    })
    this.#last = result.catch(() => undefined)
    return result
  }
}
