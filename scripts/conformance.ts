/** `npm run conformance -- …`: the suite as it stands here, with what it reads made from openapi/ where that is missing or old. */
import { ensureGenerated } from './generate.ts'

await ensureGenerated()
await import('../conformance/cli.ts')
