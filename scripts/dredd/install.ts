import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { keptFolder } from '../kept-folder.ts'

const lockFile = 'package-lock.json'

/**
 * Dredd in exactly the versions of package-lock.json, installed when it is missing. No package's own code runs meanwhile.
 *
 * @returns path of the program, for Node
 * @throws Error when npm cannot install it
 */
export async function installedDredd(): Promise<string> {
  const lock = readFileSync(join(import.meta.dirname, lockFile))
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const folder = await keptFolder(`dredd-${hash}`, async (draft) => {
    mkdirSync(draft)
    for (const file of ['package.json', lockFile]) copyFileSync(join(import.meta.dirname, file), join(draft, file))
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: draft })
  })
  return join(folder, 'node_modules/dredd/bin/dredd')
}
