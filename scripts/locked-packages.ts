import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { keptFolder } from './kept-folder.ts'

const lockFile = 'package-lock.json'

/**
 * Packages outside the main tree, in exactly the versions of their own lock file; installed if missing. No package runs
 * code of its own during the installation.
 *
 * @param folder has their package.json and package-lock.json
 * @returns path of their node_modules
 * @throws {Error} if npm cannot install them
 */
export async function lockedPackages(folder: string): Promise<string> {
  const lock = readFileSync(join(folder, lockFile))
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const kept = await keptFolder(`${basename(folder)}-${hash}`, async (draft) => {
    mkdirSync(draft)
    for (const file of ['package.json', lockFile]) copyFileSync(join(folder, file), join(draft, file))
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: draft })
  })
  return join(kept, 'node_modules')
}
