#!/usr/bin/env node
// What `parley-server` of the package runs: the server, or with `admin` in front the operator's commands. JavaScript, for the same
// reason as scripts/start.mjs.
import { enableCompileCache } from 'node:module'

enableCompileCache()

const [first, ...others] = process.argv.slice(2)
if (first === 'admin') {
  const { admin } = await import('./admin.ts')
  await admin(others)
} else {
  const { main } = await import('./main.ts')
  await main()
}
