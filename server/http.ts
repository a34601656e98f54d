import { createRequire } from 'node:module'
import type RouterClass from '@koa/router'

/**
 * `node:http` and what imports it are required, not imported: an import reads every export of a built-in module, and
 * reading `http.WebSocket` loads all of Undici, which is not used here. That costs 12 MiB of memory and 15 ms at every
 * start.
 */
const require = createRequire(import.meta.url)

export const { createServer } = require('node:http') as typeof import('node:http')
export const Router = require('@koa/router') as typeof RouterClass
