import { join } from 'node:path'
import { lockedPackages } from '../locked-packages.ts'

/**
 * Returns the path of Dredd's program, in exactly the version of package-lock.json, and installs it if it is missing.
 *
 * @throws {Error} if npm cannot install it
 */
export async function installedDredd(): Promise<string> {
  return join(await lockedPackages(import.meta.dirname), 'dredd/bin/dredd')
}
