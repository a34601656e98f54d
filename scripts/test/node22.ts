import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const cache = join(import.meta.dirname, '../../node_modules/.cache/parley')

/** The oldest one that the conformance package says it runs on: a later one has more. */
const version = '22.0.0'

/**
 * A Node 22 from npm, fetched once. Made under another name and renamed, so that an interrupted run leaves nothing half
 * made in place.
 *
 * @returns path of its executable
 * @throws Error when npm cannot fetch it, for this system for example
 */
export async function node22(signal: AbortSignal): Promise<string> {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `${platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${process.arch}`
  const folder = join(cache, `node-${version}`)
  const executable = join(folder, 'node_modules', name, 'bin', platform === 'win' ? 'node.exe' : 'node')
  if (existsSync(executable)) return executable

  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
    await execute('npm', ['install', '--prefix', draft, ...options, `${name}@${version}`], { signal })
    try {
      renameSync(draft, folder)
    } catch (err) {
      if (!existsSync(executable)) throw err // otherwise another run was faster
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return executable
}
