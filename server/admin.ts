import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Database, hasDatabase } from '../db/database.ts'
import type { Tell } from '../db/database-copy.ts'
import { UnusableDatabaseError } from '../db/unusable.ts'
import { ApiError } from '../domain/errors.ts'
import { DiskStore } from '../uploads/disk.ts'
import { ADMIN_COMMAND } from './command-names.ts'
import { type Config, configFrom, publicUrlOf } from './config.ts'
import { DataFolder, DataFolderError, DataFolderInUseError, requireUploads } from './data-folder.ts'
import {
  type Command,
  type Given,
  OperatorError,
  type Outcome,
  type Place,
  type RowsCommand,
} from './operator/command.ts'
import { COMMANDS } from './operator/commands.ts'
import { hasEndpoint, runInServer } from './operator/endpoint.ts'
import { secretsOf, WrongSecretError } from './server-secrets.ts'
import { ConfigError, SETTINGS } from './settings.ts'

/** `npm run admin -- COMMAND`: commands of operators, with or without a running server. */
export async function admin(args: readonly string[]): Promise<void> {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return // the reader has what it wants
    process.stderr.write(`What the command says cannot be printed: ${message}\n`)
    process.exitCode = 1
  })
  try {
    const tell: Tell = (sentence) => process.stderr.write(`${sentence}\n`)
    const lines = await perform(args, process.env, tell)
    process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  } catch (err) {
    if (!isForOperators(err)) throw err
    const isOfSqlite = /^SQLITE_/.test((err as NodeJS.ErrnoException).code ?? '')
    process.stderr.write(`${isOfSqlite ? 'A database file cannot be read or written: ' : ''}${err.message}\n`)
    process.exitCode = 1
  }
}

const FOR_OPERATORS = [OperatorError, ApiError, ConfigError, DataFolderError, UnusableDatabaseError, WrongSecretError]

function isForOperators(err: unknown): err is Error {
  if (FOR_OPERATORS.some((known) => err instanceof known)) return true
  // Errors of files and connections already say what is wrong.
  return typeof (err as NodeJS.ErrnoException).code === 'string'
}

/**
 * @returns lines to print
 * @throws any error, with a message for operators
 */
export async function perform(
  [name, ...rest]: readonly string[],
  environment: NodeJS.ProcessEnv,
  tell: Tell,
): Promise<readonly string[]> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return overview()
  const command = COMMANDS.find((one) => one.name === name)
  if (!command) throw new OperatorError(`There is no command ${name}: ${ADMIN_COMMAND} --help lists all`)
  const asked = readWords(command, rest)
  if (asked === 'help') return helpOf(command)
  const config = configFrom(environment, asked.flags)
  if (config === 'help') return helpOf(command)
  // A running server knows its database, so the operator needs no settings for it.
  const needsOne = command.kind === 'rows' ? !hasEndpoint(config.dataFolder) : !command.makesDatabase
  if (needsOne) await requireDatabase(config)
  const { data, lines } = await (command.kind === 'rows'
    ? runOnRows(command, config, asked.given)
    : inPlace(config, tell, (place) => command.run(place, asked.given)))
  return asked.isJson ? [JSON.stringify(data)] : lines
}

interface Asked {
  readonly given: Given
  readonly flags: string[]
  readonly isJson: boolean
}

/** Returns the words and options of the command, without the flags that are server settings. */
function readWords(command: Command, args: readonly string[]): Asked | 'help' {
  const own = (command.options ?? []).map(({ name }) => name)
  const names = [...own, ...SETTINGS.map(({ flag }) => flag)]
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
  } catch (err) {
    throw new OperatorError(`${(err as Error).message}. See ${ADMIN_COMMAND} ${command.name} --help`)
  }
  const { positionals } = parsed
  const { json, ...values } = parsed.values
  if (values.help === true) return 'help'
  if (positionals.length !== command.words.length) {
    throw new OperatorError(`Usage: ${usageOf(command)}`)
  }
  const given: Record<string, string> = {}
  for (const [index, { name }] of command.words.entries()) given[name] = positionals[index] ?? ''
  for (const name of own) if (typeof values[name] === 'string') given[name] = values[name]
  const flags = Object.entries(values).flatMap(([name, value]) => (own.includes(name) ? [] : [`--${name}=${value}`]))
  return { given, flags, isJson: json === true }
}

/**
 * Tells operators if they lack the server's settings, and leaves nothing in the folder that was checked. @throws
 * {OperatorError}
 */
async function requireDatabase({ dataFolder, database }: Config): Promise<void> {
  if (existsSync(dataFolder) && (await hasDatabase(database))) return
  throw new OperatorError(noOrganization({ dataFolder, database }))
}

function noOrganization({ dataFolder, database }: Pick<Config, 'dataFolder' | 'database'>): string {
  const where = database.kind === 'sqlite' ? resolve(database.file) : 'the database of DATABASE_URL'
  return `There is no organization yet in ${where}, with the data folder ${resolve(dataFolder)}: start the server once, or name its places with PARLEY_DATA and DATABASE_URL (--data, --database-url)`
}

/**
 * Runs the command in the server's process if there is one. Otherwise runs it here, and no server can start meanwhile.
 */
async function runOnRows(command: RowsCommand, config: Config, given: Given): Promise<Outcome> {
  const dataFolder = await freeFolder(config)
  if (!dataFolder) return runInServer(config.dataFolder, command.name, given)
  let db: Database | undefined
  try {
    // Not checked yet if a killed server has left its address.
    await requireDatabase(config)
    db = await Database.open(config.database, config.clock)
    const secretCheck = await db.read.organizations.secretCheck()
    if (secretCheck === undefined) throw new OperatorError(noOrganization(config))
    const secrets = secretsOf(config.secret, dataFolder, secretCheck)
    const publicUrl = publicUrlOf(config)
    const { wireValues, ownerFullContentAccess, hasDevelopmentLogin } = config
    const sendsPushNotifications = config.pushRelayUrl !== undefined
    const site = { publicUrl, wireValues, ownerFullContentAccess, hasDevelopmentLogin, sendsPushNotifications }
    return await command.run({ db, secrets, clock: config.clock, site }, given)
  } finally {
    await db?.close()
    dataFolder.release()
  }
}

async function inPlace<T>(config: Config, tell: Tell, work: (place: Place) => Promise<T>): Promise<T> {
  const releases: (() => void | Promise<void>)[] = []
  try {
    return await work({
      config,
      tell,
      async holdFiles() {
        requireUploads(config.filesFolder)
        releases.push(await new DiskStore(join(config.filesFolder, 'uploads')).holdFiles())
      },
      async holdServer() {
        const dataFolder = await freeFolder(config)
        if (!dataFolder) throw new OperatorError(`The server of ${config.dataFolder} runs: stop it first`)
        releases.push(() => dataFolder.release())
        return dataFolder
      },
    })
  } finally {
    for (const release of releases) await release()
  }
}

/** Locks the folder for this process; undefined if a server has it. */
async function freeFolder({ dataFolder, database }: Config): Promise<DataFolder | undefined> {
  try {
    return new DataFolder(dataFolder, database)
  } catch (err) {
    if (err instanceof DataFolderInUseError) return undefined
    throw err
  }
}

function usageOf({ name, words, options = [] }: Command): string {
  const optional = options.map((option) => ` [--${option.name} ${option.value}]`)
  return `${ADMIN_COMMAND} ${name}${words.map((one) => ` ${one.name.toUpperCase()}`).join('')}${optional.join('')}`
}

function overview(): string[] {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  return [
    `Usage: ${ADMIN_COMMAND} COMMAND …`,
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}.`),
    '',
    'Commands work while the server runs, but for restore and import. They take its settings, from the environment or as flags',
    '(--data, --database-url …), and --help. With --json they print one line of JSON instead of lines for people.',
  ]
}

function helpOf(command: Command): string[] {
  const { summary, words, options = [] } = command
  const entries = [
    ...words.map(({ name, meaning }) => [name.toUpperCase(), meaning] as const),
    ...options.map(({ name, value, meaning }) => [`--${name} ${value}`, meaning] as const),
  ]
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return [
    `Usage: ${usageOf(command)}`,
    '',
    `${summary}.`,
    ...(entries.length > 0 ? [''] : []),
    ...entries.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  ]
}
