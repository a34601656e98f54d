// Prepares a first start in a process that ends: generates files, and puts the server's modules into the compile cache,
// so that the server loads neither the generator nor the type stripper.
import { enableCompileCache } from 'node:module'

enableCompileCache()

const { ensureGenerated } = await import('./generate.ts')
try {
  await ensureGenerated()
  await import('../server/main.ts')
  // main imports it once it knows the database; this is the one of a first start without settings.
  await import('../db/sqlite.ts')
} catch (err) {
  process.stderr.write(`${err.message}\n`)
  process.exitCode = 1
}
