import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before } from 'node:test'
import { environmentWithoutSettings } from '../conformance/environment-testing.ts'
import { lockedPackages } from './locked-packages.ts'
import { makePackage, PACKAGES, type PackageName } from './package.ts'

const root = join(import.meta.dirname, '..')
const mostOutput = 2 ** 26

export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The packages as strangers get them: packed, and installed in an empty folder. */
export interface Installed {
  /** For files of the tests. */
  readonly folder: string
  /** Both are installed here: missing dependencies are found by reading the imports, not by a second installation. */
  readonly home: string
  /** The files of each. */
  readonly paths: Partial<Record<PackageName, readonly string[]>>
}

/** Packs and installs before the tests of the file, and removes everything after them. */
export async function installedPackages(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-packages-'))
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const home = join(folder, 'home')
  const installed: Installed = { folder, home, paths: {} }
  before(async () => {
    const names = Object.keys(PACKAGES) as PackageName[]
    // `npm run check` checks the types.
    for (const name of names) await makePackage(name, join(folder, name), { isChecked: false })
    await mkdir(home)
    const folders = names.map((name) => join(folder, name))
    const packed = JSON.parse(await mustRun(home, 'npm', ['pack', ...folders, '--json', '--pack-destination', folder]))
    const archives: string[] = []
    for (const { name, filename, files } of Object.values(packed) as Packed[]) {
      installed.paths[name] = files.map(({ path }) => path)
      archives.push(join(folder, filename))
    }
    const options = ['--prefer-offline', '--no-audit', '--no-fund']
    await mustRun(home, 'npm', ['install', '--prefix', home, ...options, ...archives])
    await writeFile(join(home, 'package.json'), '{ "type": "module" }')
  })
  return installed
}

interface Packed {
  readonly name: PackageName
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/** Makes `folder` a project with what an example needs, and the server if it is installed. */
export async function projectOf(example: string, folder: string, { home }: Installed): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(modules, { recursive: true })
  const locked = await lockedPackages(example)
  for (const name of await readdir(locked)) await symlink(join(locked, name), join(modules, name))
  await symlink(join(home, 'node_modules/parley-server'), join(modules, 'parley-server'))
}

/** The imports of a package's code, except Node's modules and its own files. */
export async function importsOf(name: PackageName, { home, paths }: Installed): Promise<string[]> {
  const imported = new Set<string>()
  for (const path of (paths[name] ?? []).filter((one) => /\.m?js$/.test(one))) {
    const code = await readFile(join(home, 'node_modules', name, path), 'utf8')
    for (const [, found = ''] of code.matchAll(
      /\b(?:from|import)\s*\(?['"]((?:@[\w-]+\/)?[\w-][\w.-]*)(?:\/[^'"]*)?['"]/g,
    )) {
      imported.add(found)
    }
  }
  return [...imported]
}

/** With the Node at `node` first in the PATH, and without the project's commands. */
function environmentOf(node: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const others = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.startsWith(root))
  return { ...environmentWithoutSettings(), ...more, PATH: [dirname(node), ...others].join(delimiter) }
}

/**
 * Runs a command in `cwd`.
 *
 * @param how.watch is called with the process as soon as it exists
 */
export function runWith(
  node: string,
  cwd: string,
  command: string,
  args: readonly string[],
  { watch, env }: { watch?: (child: ChildProcess) => void; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: environmentOf(node, env), maxBuffer: mostOutput }
    const child = execFile(command, args, options, (err, stdout, stderr) => {
      if (child.exitCode === null && child.signalCode === null) reject(err)
      else resolve({ code: child.exitCode, stdout, stderr })
    })
    watch?.(child)
  })
}

/** Like `runWith`, with this Node, for commands that must succeed. Returns the output. */
export async function mustRun(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { code, stdout, stderr } = await runWith(process.execPath, cwd, command, args, { env })
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
  return stdout
}

/** A `parley-server` of the package, started as a program would. */
export interface Served {
  readonly url: string
  readonly credentialsFile: string
  /** The content of the ready file. */
  readonly ready: string
  /** Ends it, by Ctrl-C or otherwise, and waits for it. @returns whether it removed its ready file */
  stop(how?: Ending): Promise<boolean>
}

export interface Ending {
  readonly signal: NodeJS.Signals
  /** Whether only the started command gets the signal, and none of its children. */
  readonly isAlone: boolean
}

/**
 * Starts the command on a new data folder. @param node the Node that runs it @param words the command and its first
 * arguments
 */
export async function serve(node: string, { folder, home }: Installed, words: readonly string[]): Promise<Served> {
  const [command = '', ...first] = words
  const own = await mkdtemp(join(folder, 'served-'))
  const readyFile = join(own, 'ready.json')
  const data = join(own, 'data')
  const args = [...first, '--port', '0', '--data', data, '--ready-file', readyFile, '--log-level', 'silent']
  // A process group, like in a terminal: npm passes no signal on to the command in its shell.
  const child = spawn(command, args, { cwd: home, env: environmentOf(node), detached: true })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  // The pipes close when the last process of the group has ended.
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const stop = async ({ signal, isAlone }: Ending = { signal: 'SIGINT', isAlone: false }): Promise<boolean> => {
    const pid = child.pid ?? assert.fail()
    process.kill(isAlone ? pid : -pid, signal)
    await closed
    return !existsSync(readyFile)
  }
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      if (String(text).includes('Parley answers at ')) resolve()
    })
    child.once('error', reject)
    void closed.then(() => reject(new Error(`it ended before it answered: ${stderr}`)))
  })
  const ready = await readFile(readyFile, 'utf8')
  return { url: JSON.parse(ready).url, credentialsFile: join(data, 'demo-credentials.json'), ready, stop }
}
