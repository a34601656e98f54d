// JavaScript, for the same reason as scripts/start.mjs: with a full cache the thread needs no type stripper.
import { enableCompileCache } from 'node:module'

enableCompileCache()

await import('./thread.ts')
