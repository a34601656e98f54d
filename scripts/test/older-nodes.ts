import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { keptFolder } from '../kept-folder.ts'

const execute = promisify(execFile)

/** The oldest versions that the packages claim to run on: the conformance suite, and the server. */
export const OLDEST_NODES = { PARLEY_TEST_NODE22: '22.0.0', PARLEY_TEST_NODE22_19: '22.19.0' } as const

/**
 * A Node from npm, fetched once and kept.
 *
 * @returns path of its executable
 * @throws {Error} if npm cannot fetch it, for example for this system
 */
export async function olderNode(version: string, signal: AbortSignal): Promise<string> {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `${platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${process.arch}`
  const folder = await keptFolder(`node-${version}`, async (draft) => {
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
    await execute('npm', ['install', '--prefix', draft, ...options, `${name}@${version}`], { signal })
  })
  return join(folder, 'node_modules', name, 'bin', platform === 'win' ? 'node.exe' : 'node')
}
