import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { collect } from './generate/collections.ts'
import { inputsHash, readStamp } from './generate/freshness.ts'

const ROOT = join(import.meta.dirname, '..')
/** What a server cannot start without. */
const SERVED = [
  'generated/decoded.json',
  'generated/requests.json',
  'generated/settings.ts',
  'generated/testing.json',
  'generated/wire.json',
  'server/operations.generated.ts',
  'views/state.generated.ts',
]

export interface EnsureOptions {
  /** The folder that holds `openapi/` and `handlers/`; by default the project. */
  root?: string
  /** Whether the contract must also have been checked and the types made, which takes seconds. A server needs neither. */
  complete?: boolean
}

/** Whether the generated files are those of the present contract, generator and handlers. Costs a few milliseconds. */
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
 * Makes the generated files anew when the contract, the generator or the list of handlers has changed. Costs a few
 * milliseconds when nothing has; everything heavy is imported only when needed.
 *
 * @returns whether anything was made
 * @throws Error when the contract is wrong, or does not fit the handlers
 */
export async function ensureGenerated(options: EnsureOptions = {}): Promise<boolean> {
  const { root = ROOT, complete = false } = options
  if (isGenerated(options)) {
    collect(root) // no part of the contract, and needed by no server
    return false
  }
  const { build } = await import('./generate/build.ts')
  await build({ root, complete })
  return true
}

if (import.meta.main) {
  const { build } = await import('./generate/build.ts')
  const start = performance.now()
  try {
    // An operator installs without development dependencies; a server needs neither the checks nor the types.
    const complete = existsSync(join(ROOT, 'node_modules/openapi-typescript'))
    await build({ root: ROOT, complete })
    console.log(`generated from openapi/ in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    if (!complete) console.log('The contract was not checked: development dependencies are not installed.')
  } catch (err) {
    console.error((err as Error).message)
    process.exitCode = 1
  }
}
