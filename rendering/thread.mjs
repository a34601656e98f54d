// JavaScript, for the same reason as scripts/start.mjs: no type stripper in this thread when the cache is filled.
import { enableCompileCache } from 'node:module'

enableCompileCache()

await import('./thread.ts')
