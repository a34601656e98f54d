import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const requirements = join(import.meta.dirname, 'python-requirements.txt')
const cache = join(import.meta.dirname, '../../node_modules/.cache/parley')

/**
 * A Python with exactly the packages of `python-requirements.txt`, made once and kept until the pins or the machine's
 * Python change. Made under another name and renamed, so that an interrupted run leaves nothing half made in place.
 *
 * @returns path of its interpreter; undefined when there is no python3
 * @throws Error when there is one and it cannot make environments, or the packages cannot be had
 */
export async function pythonWithClients(signal: AbortSignal): Promise<string | undefined> {
  let version: string
  try {
    const { stdout } = await execute('python3', ['-c', 'import sys; print(sys.base_prefix, sys.version)'], { signal })
    version = stdout
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
  const hash = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = join(cache, `python-${hash}`)
  const interpreter = join(folder, 'bin/python')
  if (existsSync(interpreter)) return interpreter

  const draft = `${folder}.${process.pid}`
  mkdirSync(cache, { recursive: true })
  try {
    await execute('python3', ['-m', 'venv', draft], { signal })
    // Wheels only: no package's own code runs during the installation.
    const options = ['--quiet', '--disable-pip-version-check', '--only-binary', ':all:', '--requirement', requirements]
    await execute(join(draft, 'bin/python'), ['-m', 'pip', 'install', ...options], { signal })
    try {
      renameSync(draft, folder)
    } catch (err) {
      if (!existsSync(interpreter)) throw err // otherwise another run was faster with the same
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return interpreter
}
