import { readFileSync } from 'node:fs'

interface Described {
  readonly operationId: string
  readonly method: string
  readonly path: string
}

/** The contract's operations for tests. */
export function operations(): Described[] {
  const { decoded } = JSON.parse(readFileSync(new URL('../../generated/testing.json', import.meta.url), 'utf8'))
  return Object.entries(decoded.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
  )
}
