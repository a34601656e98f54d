// What a first start needs, made in a process that ends: the generated files, and the server's modules in the compile
// cache, so that the server itself loads neither the generator nor the type stripper.
import { enableCompileCache } from 'node:module'

enableCompileCache()

const { ensureGenerated } = await import('./generate.ts')
try {
  await ensureGenerated()
  await import('../server/main.ts')
  // What main loads once it knows the database: the one of a first start without settings.
  await import('../db/sqlite.ts')
} catch (err) {
  process.stderr.write(`${err.message}\n`)
  process.exitCode = 1
}
