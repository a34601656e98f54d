import { enableCompileCache } from 'node:module'

/**
 * `createParley(…).start({ port: 0 })` with an empty organization in an empty folder, in this fresh process.
 *
 * `withImportsMs` counts from the start of the process, `startMs` from the call, after the imports.
 */
export async function measureEmbedded({
  dataFolder,
}: {
  dataFolder: string
}): Promise<{ withImportsMs: number; startMs: number }> {
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
