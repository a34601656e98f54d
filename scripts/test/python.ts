import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { keptFolder } from '../kept-folder.ts'

const execute = promisify(execFile)

/**
 * A Python with exactly the packages of `requirements`, created once and kept until the pins or the machine's Python
 * change. Run its programs as modules, because their files contain the path where they were created.
 *
 * @returns path of its interpreter; undefined without python3
 * @throws {Error} if environments cannot be created, or packages cannot be installed
 */
export async function pythonWith(requirements: string, signal?: AbortSignal): Promise<string | undefined> {
  let version: string
  try {
    const { stdout } = await execute('python3', ['-c', 'import sys; print(sys.base_prefix, sys.version)'], { signal })
    version = stdout
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
  const hash = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = await keptFolder(`python-${hash}`, async (draft) => {
    await execute('python3', ['-m', 'venv', draft], { signal })
    // Wheels only: no package runs code of its own during the installation.
    const options = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:', '--requirement', requirements]
    await execute(join(draft, 'bin/python'), ['-m', 'pip', 'install', ...options], { signal })
  })
  return join(folder, 'bin/python')
}

/** Like `pythonWith`, with the clients that `npm test` uses. */
export function pythonWithClients(signal: AbortSignal): Promise<string | undefined> {
  return pythonWith(join(import.meta.dirname, 'python-requirements.txt'), signal)
}
