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
  // Kept, because anybody may ask for them without a limit, and a megabyte of JSON takes long to parse and write.
  const documents: { [version in DocumentVersion]?: string } = {}
  return {
    uptimeSeconds: () => (performance.now() - startedAt) / 1000,
    metricsText: () => metrics.text(),
    async document(version) {
      documents[version] ??= await readDocument(version, testing !== 'off')
      return documents[version]
    },
    // Only known names, so that nothing a client sends becomes a path.
    async picture(fileName) {
      return PICTURES.includes(fileName) ? readFile(new URL(`static/${fileName}`, import.meta.url)) : undefined
    },
  }
}

type OpenApiDocument = Schemas['OpenApiDocument']
type DocumentVersion = Parameters<ServerFacts['document']>[0]

async function readDocument(version: DocumentVersion, hasTestingPaths: boolean): Promise<string> {
  const text = await readFile(generated(version === '3.1' ? 'wire.json' : 'wire-3.0.json'), 'utf8')
  if (!hasTestingPaths) return `${text}\n`
  const testing = JSON.parse(await readFile(generated('testing.json'), 'utf8'))
  return `${JSON.stringify(withTestingPaths(JSON.parse(text), testing[version]))}\n`
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
