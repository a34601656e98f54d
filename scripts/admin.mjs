// `npm run admin -- COMMAND`. JavaScript, so that a checkout without generated files can generate them first.
import { enableCompileCache } from 'node:module'

enableCompileCache()

const { ensureGenerated } = await import('./generate.ts')
await ensureGenerated()
const { admin } = await import('../server/admin.ts')
await admin(process.argv.slice(2))
