/**
 * `npm run conformance -- …`: the suite in this checkout. Generates what it reads from openapi/ if that is missing or
 * out of date.
 */
import { ensureGenerated } from './generate.ts'

await ensureGenerated()
await import('../conformance/cli.ts')
