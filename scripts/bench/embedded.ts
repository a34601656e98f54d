import { enableCompileCache } from 'node:module'

export interface EmbeddedInput {
  readonly dataFolder: string
}

export interface EmbeddedResult {
  /** From the start of the process. */
  readonly withImportsMs: number
  /** From the call, after the imports. */
  readonly startMs: number
}

/** `createParley(…).start({ port: 0 })` with an empty organization in an empty folder, in this fresh process. */
export async function measureEmbedded({ dataFolder }: EmbeddedInput): Promise<EmbeddedResult> {
  enableCompileCache()
  const { createParley } = await import('../../server/create-parley.ts')
  const { embeddedConfig } = await import('../../server/config.ts')
  const called = performance.now()
  const parley = await createParley(embeddedConfig({ dataFolder, organization: 'empty', logLevel: 'warn' }))
  await parley.start({ port: 0 })
  const resolved = performance.now()
  await parley.stop()
  return { withImportsMs: resolved, startMs: resolved - called }
}
