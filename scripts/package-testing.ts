import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before } from 'node:test'
import { environmentWithoutSettings } from '../conformance/environment-testing.ts'
import { makePackage, type PackageName } from './package.ts'

const root = join(import.meta.dirname, '..')
const mostOutput = 2 ** 26

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The package as strangers have it: packed, and installed in a folder where nothing else is. */
export interface InstalledPackage {
  /** For files of the tests. */
  readonly folder: string
  /** Into which the package is installed. */
  readonly home: string
  /** What is in the package. */
  paths: readonly string[]
}

/** Packs and installs before the tests of the file, and removes all after them. */
export async function installedPackage(name: PackageName): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-package-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  const installed: InstalledPackage = { folder, home, paths: [] }
  before(async () => {
    await makePackage(name, join(folder, 'package'))
    await mkdir(home)
    const pack = ['pack', join(folder, 'package'), '--json', '--pack-destination', folder]
    const [packed] = JSON.parse(await mustRun(home, 'npm', pack))
    installed.paths = packed.files.map(({ path }: { path: string }) => path)
    const options = ['--prefer-offline', '--no-audit', '--no-fund']
    await mustRun(home, 'npm', ['install', '--prefix', home, ...options, join(folder, packed.filename)])
  })
  return installed
}

/**
 * Runs a command in `home` with the Node at `node` first on the path, and without the commands of the project.
 *
 * @param watch gets the process as soon as it is there
 */
export function runWith(
  node: string,
  home: string,
  command: string,
  args: readonly string[],
  watch: (child: ChildProcess) => void = () => {},
): Promise<Ended> {
  const others = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.startsWith(root))
  const env = { ...environmentWithoutSettings(), PATH: [dirname(node), ...others].join(delimiter) }
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { cwd: home, env, maxBuffer: mostOutput }, (err, stdout, stderr) => {
      if (child.exitCode === null && child.signalCode === null) reject(err)
      else resolve({ code: child.exitCode, stdout, stderr })
    })
    watch(child)
  })
}

/** The same with this Node, for what must succeed. Returns its output. */
export async function mustRun(home: string, command: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runWith(process.execPath, home, command, args)
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
  return stdout
}
