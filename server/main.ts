import { resolve } from 'node:path'
import { type Config, ConfigError, configFrom, helpText } from './config.ts'
import { createParley, WrongSecretError } from './create-parley.ts'
import { DataFolderError } from './data-folder.ts'
import { zuliprc } from './first-start.ts'

/** Starts a server as the environment and the flags say, and stops it on SIGTERM and SIGINT. */
export async function main(): Promise<void> {
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
    if (
      err instanceof DataFolderError ||
      err instanceof WrongSecretError ||
      (err as Error).name === 'DatabaseInUseError'
    )
      return fail((err as Error).message)
    const reason = startProblem(err, config)
    if (reason !== undefined) return fail(reason)
    throw err
  }
}

async function serve(config: Config): Promise<void> {
  const parley = await createParley(config)
  const stop = (): void => {
    parley.stop().then(
      () => process.exit(0),
      (err: unknown) => {
        parley.log.fatal({ err }, 'stop failed')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  try {
    const { url, credentials, credentialsFile } = await parley.start()
    process.stdout.write(`Parley answers at ${url}\n`)
    if (!credentials) return
    process.stdout.write(`Credentials to try it: ${resolve(credentialsFile)}\n`)
    const rc = zuliprc(credentials, 'bot')
    if (rc !== undefined) process.stdout.write(`A zuliprc for the demo bot:\n\n${rc}\n\n`)
  } catch (err) {
    await parley.stop()
    throw err
  }
}

/** Why a start failed, where the reason is outside of Parley and has a remedy. */
function startProblem(err: unknown, config: Config): string | undefined {
  const code = (err as { code?: unknown }).code
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${config.port} on ${config.host} is taken: stop what listens there, or set PORT`
    case 'EACCES':
      return `Port ${config.port} on ${config.host} may not be used by this account: set PORT to 1024 or more`
    case 'EADDRNOTAVAIL':
      return `HOST is ${config.host}, which is no address of this machine`
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_BAD_DB_ERROR':
      return `The database of DATABASE_URL cannot be used: ${(err as Error).message}`
    case 'SQLITE_NOTADB':
    case 'SQLITE_CANTOPEN':
      return `The database file cannot be used: ${(err as Error).message}`
    default:
      return undefined
  }
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
