import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inputsHash, readStamp } from './generate/freshness.ts'

const ROOT = join(import.meta.dirname, '..')
/** The files a server needs to start. */
const SERVED = [
  'generated/decoded.json',
  'generated/requests.json',
  'generated/settings.ts',
  'generated/testing.json',
  'generated/wire.json',
  'server/operations.generated.ts',
]

export interface EnsureOptions {
  /** The folder with `openapi/` and `handlers/`; default: the project. */
  root?: string
  /** Whether the contract must also be checked and the types generated, which takes seconds. A server needs neither. */
  complete?: boolean
}

/** Whether the generated files match the current contract, generator and handlers. Takes a few milliseconds. */
export function isGenerated({ root = ROOT, complete = false }: EnsureOptions = {}): boolean {
  const stamp = readStamp(root)
  return (
    stamp !== undefined &&
    (stamp.complete || !complete) &&
    SERVED.every((file) => existsSync(join(root, file))) &&
    stamp.hash === inputsHash(root)
  )
}

/**
 * Generates again if the contract, the generator or the list of handlers has changed. Takes a few milliseconds
 * otherwise, because everything large is imported only when needed.
 *
 * @returns whether anything was generated
 * @throws {Error} if the contract is wrong, or does not match the handlers
 */
export async function ensureGenerated(options: EnsureOptions = {}): Promise<boolean> {
  const { root = ROOT, complete = false } = options
  if (isGenerated(options)) return false
  const { build } = await import('./generate/build.ts')
  await build({ root, complete })
  return true
}

if (import.meta.main) {
  const { build } = await import('./generate/build.ts')
  const start = performance.now()
  try {
    // Operators install without development dependencies, and a server needs neither the checks nor the types.
    const complete = existsSync(join(ROOT, 'node_modules/openapi-typescript'))
    await build({ root: ROOT, complete })
    console.log(`generated from openapi/ in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    if (!complete) console.log('The contract was not checked: development dependencies are not installed.')
  } catch (err) {
    console.error((err as Error).message)
    process.exitCode = 1
  }
}
