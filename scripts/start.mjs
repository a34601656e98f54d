// JavaScript, not TypeScript: with the compile cache on before the first .ts file, later starts load no type stripper
// at all, which is 25 MB of memory and 100 ms.
import { enableCompileCache } from 'node:module'

enableCompileCache()

const { ensureGenerated } = await import('./generate.ts')
await ensureGenerated()
const { main } = await import('../server/main.ts')
await main()
