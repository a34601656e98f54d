import { readFile } from 'node:fs/promises'
import { EXTRA_EMOJI_FILES } from '../domain/emoji/extra.ts'
import type { Schemas } from '../generated/operations.ts'
import type { ServerFacts } from '../handlers/handler.ts'
import type { Config } from './config.ts'
import type { Metrics } from './metrics.ts'

const PICTURES = ['loading.png', 'icon.png', 'logo.png', 'logo-night.png', ...EXTRA_EMOJI_FILES]

/** Facts that the server reports about itself: documents, pictures and metrics. */
export function serverFacts(metrics: Metrics, { testing }: Config): ServerFacts {
  const startedAt = performance.now()
  return {
    uptimeSeconds: () => (performance.now() - startedAt) / 1000,
    metricsText: () => metrics.text(),
    async document(version) {
      const document = await readDocument(version === '3.1' ? 'wire.json' : 'wire-3.0.json')
      if (testing === 'off') return document
      return withTestingPaths(document, (await readDocument('testing.json'))[version] as OpenApiDocument)
    },
    // Only known names, so that nothing a client sends becomes a path.
    async picture(fileName) {
      return PICTURES.includes(fileName) ? readFile(new URL(`static/${fileName}`, import.meta.url)) : undefined
    },
  }
}

type OpenApiDocument = Schemas['OpenApiDocument']

async function readDocument(file: string): Promise<OpenApiDocument> {
  return JSON.parse(await readFile(generated(file), 'utf8'))
}

/** Included only if they are served; otherwise the document would describe missing operations. */
function withTestingPaths(document: OpenApiDocument, testing: OpenApiDocument): OpenApiDocument {
  const schemasOf = ({ components }: OpenApiDocument): object => (components as { schemas: object }).schemas
  return {
    ...document,
    tags: [document.tags, testing.tags].flat(),
    paths: { ...document.paths, ...testing.paths },
    components: { ...(document.components as object), schemas: { ...schemasOf(testing), ...schemasOf(document) } },
  }
}

export function generated(file: string): URL {
  return new URL(`../generated/${file}`, import.meta.url)
}
