import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environmentWithoutSettings } from '../../conformance/environment-testing.ts'
import { findExecutable } from '../../scripts/test/machine.ts'

/** What programs print that call a server with a generated client. */
export interface Seen {
  /** `status` of GET /health, the one operation without credentials and envelope that all programs call. */
  readonly health: string
  /** ID of the message that was sent. */
  readonly sent: number
  /** Contents of the messages in the topic. */
  readonly found: readonly string[]
  /** Content of the message in its event. */
  readonly event: string
  readonly role: number
  /** Code of the refusal to delete a message that does not exist. */
  readonly refused: string
}

export type Command = readonly [file: string, ...args: string[]]

export interface Generator {
  readonly name: string
  /** Which of the served documents it reads. */
  readonly document: 'openapi.json' | 'openapi-3.0.json'
  /** Programs that the machine must have, with the Debian packages that bring them. */
  readonly needs: Readonly<Record<string, string>>
  /**
   * Makes a client of the document and, beside it, the program that uses it.
   *
   * @param folder exists and is empty
   * @returns everything that the tool printed
   */
  generate(document: string, folder: string): Promise<string>
  /** The lines of what the tool printed that warn of something. */
  warnings(output: string): readonly string[]
  /** Warnings that are the tool's own fault, with the reason. Each has to occur, so that the list only shrinks. */
  readonly allowed: readonly { readonly warning: RegExp; readonly reason: string }[]
  /** Compiles client and program, as strictly as the language can. @throws Error with what is wrong */
  compile(folder: string): Promise<void>
  /** Command line that runs the program in `folder`. */
  program(folder: string): Command | Promise<Command>
}

const root = join(import.meta.dirname, '../..')

/** A program from `node_modules`, for Node. */
export function packageFile(path: string): string {
  return join(root, 'node_modules', path)
}

/** A file that belongs to the program for one generator. */
export function programFile(path: string): string {
  return join(import.meta.dirname, 'programs', path)
}

/**
 * Runs a command in `folder`.
 *
 * @returns what it printed, errors included
 * @throws Error with the same when it fails
 */
export async function run(folder: string, [file, ...args]: Command, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = { ...environmentWithoutSettings(), ...more }
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
    return stdout + stderr
  } catch (err) {
    const { message, stdout, stderr } = err as Error & { stdout?: string; stderr?: string }
    throw new Error(stdout === undefined ? message : `${file} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}

/** Runs TypeScript's compiler with the project that is in `folder`. */
export async function compileTypeScript(folder: string): Promise<void> {
  await run(folder, [process.execPath, packageFile('typescript/bin/tsc'), '-p', folder])
}

/** Options for TypeScript that hold for all clients: as strict as it is, the libraries' types too, with Node's. */
export const strictTypeScript = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  strict: true,
  types: ['node'],
  typeRoots: [packageFile('@types')],
}

/** Which of the needed programs the machine lacks, as a sentence; undefined when it has all. */
export function whatLacks({ needs }: Generator): string | undefined {
  const missing = Object.keys(needs).filter((name) => findExecutable(name) === undefined)
  if (missing.length === 0) return undefined
  return missing.map((name) => `${name} is not installed (Debian: ${needs[name]})`).join('; ')
}
