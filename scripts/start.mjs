// JavaScript, not TypeScript: with the compile cache on before the first .ts file, later starts load no type stripper
// at all, which is 25 MB of memory and 100 ms.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

enableCompileCache()

if (await isPrepared()) {
  const { main } = await import('../server/main.ts')
  await main()
}

/** Makes sure that the generated files are there; in a process of its own, because its memory would stay here. */
async function isPrepared() {
  // Asked before any TypeScript is loaded: at a first start even the question would cost the stripper.
  if (existsSync(new URL('../generated/.hash', import.meta.url))) {
    const { isGenerated } = await import('./generate.ts')
    if (isGenerated()) return true
  }
  const { spawnSync } = await import('node:child_process')
  const { fileURLToPath } = await import('node:url')
  const script = fileURLToPath(new URL('prepare-start.mjs', import.meta.url))
  // The flags too: what is compiled under others is useless here.
  const { status, error } = spawnSync(process.execPath, [...process.execArgv, script], { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exitCode = status ?? 1
  return status === 0
}
