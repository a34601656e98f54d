import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { handlerFiles } from './registry.ts'

/**
 * A hash of everything the generated files depend on: the contract, this generator, and the list of handlers.
 */
export function inputsHash(root: string): string {
  const hash = createHash('sha256')
  for (const folder of ['openapi', 'scripts/generate']) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries
      .filter(
        (entry) => entry.isFile() && /\.(ts|yaml)$/.test(entry.name) && !/\.(test|full|long)\.ts$/.test(entry.name),
      )
      .map((entry) => join(entry.parentPath, entry.name))
    for (const file of files.sort())
      hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.update(handlerFiles(join(root, 'handlers')).join('\n')).digest('hex')
}

/** The inputs of the last generation, and whether it also checked the contract and generated the types. */
export interface Stamp {
  hash: string
  complete: boolean
}

/** Undefined if nothing has been generated yet, or only by a release with another form of it. */
export function readStamp(root: string): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(join(root, STAMP), 'utf8')) as Stamp
  } catch {
    return undefined
  }
}

export const STAMP = 'generated/.hash'
