import { join } from 'node:path'
import { lockedPackages } from '../locked-packages.ts'

/**
 * Dredd in exactly the versions of package-lock.json; installs it when it is missing.
 *
 * @returns path of the program, for Node
 * @throws Error when npm cannot install it
 */
export async function installedDredd(): Promise<string> {
  return join(await lockedPackages(import.meta.dirname), 'dredd/bin/dredd')
}
