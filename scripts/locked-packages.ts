import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { keptFolder } from './kept-folder.ts'

const lockFile = 'package-lock.json'

/**
 * Packages that stay out of the main tree, in exactly the versions of a lock file of their own, installed when they are
 * missing. No package's own code runs meanwhile.
 *
 * @param folder has their package.json and package-lock.json
 * @returns path of their node_modules
 * @throws Error when npm cannot install them
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
