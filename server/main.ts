import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { format } from 'node:util'
import { UnusableDatabaseError } from '../db/unusable.ts'
import { type Config, configFrom, helpText } from './config.ts'
import { createParley, type Parley } from './create-parley.ts'
import { DataFolderError } from './data-folder.ts'
import { zuliprc } from './first-start.ts'
import type { Logger } from './logger.ts'
import { ReadyFile } from './ready-file.ts'
import { WrongSecretError } from './server-secrets.ts'
import { ConfigError } from './settings.ts'

/** Errors whose messages say what to do. */
const REMEDIED = [ConfigError, DataFolderError, WrongSecretError, UnusableDatabaseError]

/** Ends a stop that hangs: longer than open requests get, and shorter than a service manager waits. */
const STOP_MS = 20_000

/** Starts a server from the environment and the flags, and stops it on SIGTERM and SIGINT. */
export async function main(): Promise<void> {
  process.stdout.on('error', () => {}) // nobody reads it, or its disk is full
  let config: Config | 'help'
  try {
    config = configFrom(process.env, process.argv.slice(2))
  } catch (err) {
    if (err instanceof ConfigError) return fail(err.message)
    throw err
  }
  if (config === 'help') {
    process.stdout.write(helpText())
    return
  }
  try {
    await serve(config)
  } catch (err) {
    if (REMEDIED.some((kind) => err instanceof kind)) return fail((err as Error).message)
    const reason = startProblem(err, config)
    if (reason !== undefined) return fail(reason)
    throw err
  }
}

async function serve(config: Config): Promise<void> {
  const ready = config.readyFile === undefined ? undefined : new ReadyFile(config.readyFile)
  const parley = await opened(config)
  logWhatOthersPrint(parley.log)
  let isStopping = false
  // A second signal does not mean "hurry": npm and shells pass on a signal that the whole process group got already.
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      parley.log.fatal('stop hangs')
      process.exit(1)
    }, STOP_MS).unref()
    ready?.remove()
    parley.stop().then(
      () => process.exit(0),
      (err: unknown) => {
        parley.log.fatal({ err }, 'stop failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    const { url, credentials, credentialsFile } = await parley.start()
    // Node does this only when a process ends by itself. After a kill, the next start would again spend a second
    // compiling.
    flushCompileCache()
    ready?.write({ url, pid: process.pid, ...(credentials && { credentials }) })
    process.stdout.write(`Parley answers at ${url}\n`)
    if (!credentials) return
    const isDemo = zuliprc(credentials, 'bot') !== undefined
    process.stdout.write(
      `${isDemo ? 'Credentials to try it' : 'Credentials of the owner'}: ${resolve(credentialsFile)}\n`,
    )
    const rc = zuliprc(credentials, 'bot')
    if (rc !== undefined) process.stdout.write(`A zuliprc for the demo bot:\n\n${rc}\n\n`)
  } catch (err) {
    ready?.remove()
    await parley.stop()
    throw err
  }
}

/**
 * Turns warnings of Node and libraries, and the error that ends the process, into lines of JSON for the readers of the
 * log.
 */
function logWhatOthersPrint(log: Logger): void {
  for (const name of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    console[name] = (...said: unknown[]) => log.warn({ said: format(...said) }, 'a library printed something')
  }
  process.removeAllListeners('warning')
  process.on('warning', (err) => log.warn({ err }, 'warning of the runtime'))
  process.once('uncaughtException', (err) => {
    log.fatal({ err }, 'server failed')
    process.exit(1)
  })
}

/** The part for tests is loaded only for them. */
async function opened(config: Config): Promise<Pick<Parley, 'start' | 'stop' | 'log'>> {
  if (config.testing === 'off') return createParley(config)
  const { openStandIn } = await import('./stand-in/open-stand-in.ts')
  return openStandIn(config)
}

/** Explains a failed start if the cause is outside of Parley and can be fixed. */
function startProblem(err: unknown, config: Config): string | undefined {
  const { code, message, path, syscall, fatal } = err as NodeJS.ErrnoException & { readonly fatal?: boolean }
  if (typeof code === 'string' && code.startsWith('SQLITE_')) return sqliteProblem(code, message, config)
  if (path !== undefined) return message // names the file and what is wrong with it
  // The driver marks errors of connections, the database names those of accounts.
  if (fatal === true || NO_ACCESS.test(code ?? '')) {
    return `The database of DATABASE_URL cannot be used: ${message || code}`
  }
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${config.port} on ${config.host} is taken: stop what listens there, or set PORT`
    case 'EACCES':
      if (syscall !== 'listen') return undefined
      return `Port ${config.port} on ${config.host} may not be used by this account: set PORT to 1024 or more`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST is ${config.host}, which is not an address of this machine`
    default:
      return undefined
  }
}

const NO_ACCESS =
  /^ER_(\w*ACCESS_DENIED_ERROR|BAD_DB_ERROR|HOST_NOT_PRIVILEGED|HOST_IS_BLOCKED|CON_COUNT_ERROR|USER_LIMIT_REACHED|TOO_MANY_USER_CONNECTIONS)$/
/** Extended codes of SQLite begin with the plain ones, SQLITE_IOERR_READ for example. */
const DAMAGED = /^SQLITE_CORRUPT/
const UNUSABLE = /^SQLITE_(NOTADB|CANTOPEN|IOERR|FULL|READONLY|PERM|AUTH|BUSY|LOCKED|PROTOCOL)/

function sqliteProblem(code: string, message: string, { database }: Config): string | undefined {
  const file = database.kind === 'sqlite' ? database.file : ''
  if (DAMAGED.test(code)) return `The database file ${file} is damaged (${message}): restore it from a backup`
  if (UNUSABLE.test(code)) return `The database file ${file} cannot be used: ${message}`
  return undefined // one of our statements is wrong
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
