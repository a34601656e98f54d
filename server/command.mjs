#!/usr/bin/env node
// Entry point of `parley-server` in the package: the server, or with `admin` the operator commands. JavaScript for the
// same reason as scripts/start.mjs.
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

enableCompileCache()

const [first, ...others] = process.argv.slice(2)
if (first === 'admin') {
  const { admin } = await import('./admin.ts')
  await admin(others)
} else if (first === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const { FEATURE_LEVEL } = await import('../domain/versions.ts')
  process.stdout.write(`${version}, feature level ${FEATURE_LEVEL}\n`)
} else {
  const { main } = await import('./main.ts')
  await main()
}
