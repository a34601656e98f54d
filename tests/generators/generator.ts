import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environmentWithoutSettings } from '../../conformance/environment-testing.ts'
import { findExecutable } from '../../scripts/test/machine.ts'

/** The output of programs that call a server through a generated client. */
export interface Seen {
  /** `status` of GET /health, the only operation without credentials and envelope that all programs call. */
  readonly health: string
  /** Id of the sent message. */
  readonly sent: number
  /** Contents of the messages in the topic. */
  readonly found: readonly string[]
  /** Content of the message in its event. */
  readonly event: string
  readonly role: number
  /** Code of the refusal to delete a missing message. */
  readonly refused: string
}

export type Command = readonly [file: string, ...args: string[]]

export interface Generator {
  readonly name: string
  /** The served document that it reads. */
  readonly document: 'openapi.json' | 'openapi-3.0.json'
  /** Required programs, with their Debian packages. */
  readonly needs: Readonly<Record<string, string>>
  /**
   * Generates a client from the document, and puts the program that uses it beside it.
   *
   * @param folder exists and is empty
   * @returns the tool's output
   */
  generate(document: string, folder: string): Promise<string>
  /** The lines of the tool's output that are warnings. */
  warnings(output: string): readonly string[]
  /** Warnings that are the tool's own fault, with the reason. Each must occur, so that the list only shrinks. */
  readonly allowed: readonly { readonly warning: RegExp; readonly reason: string }[]
  /** Compiles client and program as strictly as the language can. @throws {Error} with the compiler's output */
  compile(folder: string): Promise<void>
  /** Command line that runs the program in `folder`. */
  program(folder: string): Command | Promise<Command>
}

const root = join(import.meta.dirname, '../..')

/** A program from `node_modules`, for Node. */
export function packageFile(path: string): string {
  return join(root, 'node_modules', path)
}

/** A file of the program for one generator. */
export function programFile(path: string): string {
  return join(import.meta.dirname, 'programs', path)
}

/**
 * Runs a command in `folder`.
 *
 * @returns its output, including errors
 * @throws {Error} with the output if it fails
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

/** Runs TypeScript's compiler on the project in `folder`. */
export async function compileTypeScript(folder: string): Promise<void> {
  await run(folder, [process.execPath, packageFile('typescript/bin/tsc'), '-p', folder])
}

/** TypeScript options for all clients: fully strict, with the libraries' and Node's types. */
export const strictTypeScript = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  strict: true,
  types: ['node'],
  typeRoots: [packageFile('@types')],
}

/** A sentence with the programs that the machine lacks; undefined if it has all. */
export function whatLacks({ needs }: Generator): string | undefined {
  const missing = Object.keys(needs).filter((name) => findExecutable(name) === undefined)
  if (missing.length === 0) return undefined
  return missing.map((name) => `${name} is not installed (Debian: ${needs[name]})`).join('; ')
}
