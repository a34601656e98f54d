import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type Koa from 'koa'
import { makeNotificationBot } from '../actions/bots/notification-bot.ts'
import { Database } from '../db/database.ts'
import { FEATURE_LEVEL } from '../domain/versions.ts'
import { AlertWords } from '../events/alert-words.ts'
import { EventQueues } from '../events/queues.ts'
import type { Services } from '../handlers/handler.ts'
import { allJobs } from '../jobs/all-jobs.ts'
import { JobRunner } from '../jobs/runner.ts'
import { PushRelay } from '../push/relay.ts'
import { Rendering } from '../rendering/rendering.ts'
import { DiskStore } from '../uploads/disk.ts'
import { Images } from '../uploads/images.ts'
import { announceVersion } from './announce-version.ts'
import { createApp, type Intercept } from './app.ts'
import { Authenticator } from './authenticate.ts'
import { type Config, publicUrlOf, refuseExposed } from './config.ts'
import { DataFolder, noteOwner, requireOwnUploads, requireUploads } from './data-folder.ts'
import { type DemoCredentials, makeOrganization, readCredentials, updateBaseUrl } from './first-start.ts'
import { createServer } from './http.ts'
import { closeServer, listen, listenerOptions, longestRequestMs, refuse } from './listening.ts'
import { createLogger, type Logger } from './logger.ts'
import { Metrics } from './metrics.ts'
import { areMetricsHidden } from './metrics-access.ts'
import { OperatorEndpoint } from './operator/endpoint.ts'
import { generated, serverFacts } from './server-facts.ts'
import { secretsOf } from './server-secrets.ts'
import { AnswersUnderWay } from './traffic/answers-under-way.ts'
import { oneAtATime } from './traffic/one-at-a-time.ts'
import { Traffic } from './traffic/traffic.ts'
import { waitsWithBody } from './traffic/unread-body.ts'

export interface Parley {
  /** Mount it in another Koa application, or call `start`. */
  readonly app: Koa
  readonly log: Logger
  /** Listens. @param options override the configured address */
  start(options?: { port?: number; host?: string }): Promise<Running>
  /**
   * Ends parked polls, finishes other requests within 5 s, stores cursors, and releases the data folder. A server that
   * `app` is mounted in must send it no more requests.
   */
  stop(): Promise<void>
}

export interface Running {
  /** http://host:port */
  readonly url: string
  /** Credentials that the first start wrote, if the file is still there. */
  readonly credentials: DemoCredentials | undefined
  readonly credentialsFile: string
}

/**
 * Creates a Parley in this process: opens data folder and database, creates the organization at the first start, and
 * wires everything. This is the composition root; nothing else constructs services.
 */
export function createParley(config: Config): Promise<Parley> {
  return createOpenParley(config)
}

/** Hooks of a Parley whose HTTP server belongs to somebody else. */
export interface Surroundings {
  readonly intercept: Intercept
  /** All requests; after `stop` there are no new ones. */
  readonly underWay: AnswersUnderWay
  /** Result of {@link readDefinition}, if several servers share it: preparing it takes a third of a start. */
  readonly definition: object
}

/** The operations that a server has. */
export async function readDefinition({ checkAnswers }: Pick<Config, 'checkAnswers'>): Promise<object> {
  const document = checkAnswers ? 'decoded.json' : 'requests.json'
  return JSON.parse(await readFile(generated(document), 'utf8'))
}

/** A Parley with access to its parts, for tests that control it (stand-in/). */
export interface OpenParley extends Parley {
  readonly inside: Pick<Services, 'queues' | 'secrets' | 'site'> & { readonly db: Database; readonly jobs: JobRunner }
}

export async function createOpenParley(config: Config, surroundings?: Surroundings): Promise<OpenParley> {
  const log = createLogger(config.logLevel)
  const dataFolder = new DataFolder(config.dataFolder, config.database)
  let db: Database | undefined
  try {
    db = await Database.open(config.database, config.clock, config.checkAnswers)
    return await assemble(config, { log, dataFolder, db, surroundings })
  } catch (err) {
    await db?.close()
    dataFolder.release()
    throw err
  }
}

interface Opened {
  readonly log: Logger
  readonly dataFolder: DataFolder
  readonly db: Database
  readonly surroundings: Surroundings | undefined
}

async function assemble(config: Config, { log, dataFolder, db, surroundings }: Opened): Promise<OpenParley> {
  const { clock } = config
  const secretCheck = await db.read.organizations.secretCheck()
  const secrets = secretsOf(config.secret, dataFolder, secretCheck)
  const haveOwnFolder = db.dialect === 'mariadb' || config.filesFolder !== config.dataFolder
  if (secretCheck !== undefined && haveOwnFolder) requireUploads(config.filesFolder)
  requireOwnUploads(config.filesFolder, secretCheck === undefined ? undefined : db.read.organization.uuid)
  // Created before the organization, so that after a start that is killed in between, the next one finds the folder.
  const store = new DiskStore(join(config.filesFolder, 'uploads'))
  const archives = new DiskStore(join(config.filesFolder, 'exports'))
  const { wireValues, ownerFullContentAccess, hasDevelopmentLogin } = config
  if (hasDevelopmentLogin)
    log.warn('any program on this machine logs in as anybody: the server is started for development')
  const relay = config.pushRelayUrl === undefined ? undefined : new PushRelay(config.pushRelayUrl)
  const site = {
    publicUrl: publicUrlOf(config),
    wireValues,
    ownerFullContentAccess,
    hasDevelopmentLogin,
    sendsPushNotifications: relay !== undefined,
  }
  if (secretCheck === undefined) {
    const { organization: kind, organizationName: name, owner } = config
    const uuid = randomUUID()
    const credentialsFile = dataFolder.unconfirmedCredentialsFile(kind, uuid)
    await makeOrganization({ uuid, kind, name, owner, db, secrets, clock, baseUrl: site.publicUrl, credentialsFile })
    await db.readOrganization()
  }
  dataFolder.confirmCredentials(db.read.organization.uuid)
  noteOwner(config.filesFolder, db.read.organization.uuid)
  await makeNotificationBot(db, clock)
  await announceVersion(db, dataFolder)
  await db.share()
  const heartbeat = { baseSeconds: config.heartbeatSeconds, spreadSeconds: config.heartbeatSeconds / 5 }
  const queues = new EventQueues(db, clock, heartbeat, site)
  await queues.start((err) => log.error({ err }, 'event delivery failed'))
  const alertWords = new AlertWords(db)
  await alertWords.start()
  const metrics = new Metrics(queues)
  const traffic = new Traffic(config, metrics)
  const images = new Images((err) => log.error({ err }, 'image not read'))
  const services: Services = {
    db,
    queues,
    alertWords,
    secrets,
    clock,
    site,
    server: serverFacts(metrics, config),
    uploads: { store, limits: config.uploads },
    exports: { store: archives, areLimited: config.rateLimits, maxMessages: config.maxExportMessages },
    partialSubscribersFrom: config.partialSubscribersFrom,
    relay,
    log,
  }
  const rendering = new Rendering(clock, (err) => log.error({ err }, 'formulas or code not rendered'))
  const definition = surroundings?.definition ?? (await readDefinition(config))
  let server: Server | undefined
  const underWay = surroundings?.underWay ?? new AnswersUnderWay()
  const app = await createApp({
    config,
    db,
    services,
    authenticator: new Authenticator(db, secrets),
    rendering,
    images,
    metrics,
    traffic,
    log,
    definition,
    intercept: surroundings?.intercept,
    onRequest: ({ req, res }) => {
      if (!server && !surroundings) underWay.add(req, res)
    },
  })
  // Only one process uses the file, so these leases are of a killed one. Jobs would wait for their next timers.
  if (db.dialect === 'sqlite') await db.transaction((tx) => tx.jobLeases.endAll())
  const jobs = new JobRunner(
    allJobs({
      ...services,
      db,
      store,
      archives,
      images,
      rendering,
      longestUploadSeconds: longestRequestMs(config) / 1000,
      onQueuesEnded: metrics.queuesEnded.bind(metrics),
    }),
    db,
    { clock, log },
  )
  const endpoint = await OperatorEndpoint.open(dataFolder.path, { db, secrets, clock, site }, log)
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    const closed = server ? closeServer(server, traffic.connections) : underWay.settled()
    await endpoint.close()
    await jobs.stop()
    await queues.stop()
    await closed
    await rendering.stop()
    images.stop()
    await db.close()
    dataFolder.release()
    log.info('server stopped')
  }
  return {
    app,
    log,
    inside: { db, queues, secrets, site, jobs },
    async start({ port = config.port, host = config.host } = {}) {
      if (server || stopping) throw new Error('A Parley is started once')
      refuseExposed({ ...config, host })
      const answer = oneAtATime(app.callback())
      server = createServer(listenerOptions(config), answer)
      traffic.connections.watch(server)
      server.on('checkExpectation', answer)
      server.on('checkContinue', (request, response) => {
        waitsWithBody(request)
        answer(request, response)
      })
      server.on('clientError', refuse)
      const url = await listen(server, port, host).catch((err: unknown) => {
        server = undefined // so that another port can be tried
        throw err
      })
      if (config.publicUrl === undefined) site.publicUrl = url
      if (areMetricsHidden(config)) {
        log.info('/metrics is there for nobody: set PARLEY_METRICS_TOKEN to read it where others reach the server')
      }
      const { credentialsFile } = dataFolder
      log.info({ url, database: db.dialect, featureLevel: FEATURE_LEVEL }, 'server started')
      return { url, credentials: presentCredentials(credentialsFile, site.publicUrl, log), credentialsFile }
    },
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/**
 * Reads the credentials that the first start wrote, with the present address. The server also runs without this file.
 */
export function presentCredentials(file: string, baseUrl: string, log: Logger): DemoCredentials | undefined {
  try {
    const credentials = readCredentials(file)
    if (credentials) updateBaseUrl(file, credentials, baseUrl)
    return credentials && { ...credentials, base_url: baseUrl }
  } catch (err) {
    log.warn({ err, file }, 'the credentials file cannot be read')
    return undefined
  }
}
