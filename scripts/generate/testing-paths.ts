import { type Document, formOf, type LocatedOperation, operationsOf, type PathItem } from './document.ts'
import type { Source } from './source.ts'

/** Paths that a server only has when it was started for tests. */
const BELOW = '/testing/'
const TAG = 'testing'

export function isForTests({ path }: Pick<LocatedOperation, 'path'>): boolean {
  return path.startsWith(BELOW)
}

/** The contract of every server. @returns it without the operations for tests */
export function withoutTesting(document: Document): Document {
  return part(
    document,
    (path) => !isForTests({ path }),
    (tag) => tag !== TAG,
  )
}

/** The part of the contract that only a server for tests has. */
export function testingOnly(document: Document): Document {
  return part(
    document,
    (path) => isForTests({ path }),
    (tag) => tag === TAG,
  )
}

/** The failures a test can ask for are named by the rest of the contract: its operations and codes. */
export function nameFailures({ document, errors }: Pick<Source, 'document' | 'errors'>): void {
  const operations = operationsOf(document)
  const failNext = operations.find(({ operation }) => operation.operationId === 'fail-next')
  const fields = failNext && formOf(failNext.operation)?.properties
  if (!fields?.operation || !fields.code) return
  const ids = operations.filter((one) => !isForTests(one)).map(({ operation }) => operation.operationId)
  fields.operation.enum = ids
  fields.code.enum = Object.keys(errors)
}

function part(document: Document, hasPath: (path: string) => boolean, hasTag: (tag: string) => boolean): Document {
  const paths = Object.entries(document.paths).filter(([path]) => hasPath(path))
  return {
    ...document,
    ...(document.tags !== undefined && { tags: document.tags.filter(({ name }) => hasTag(name)) }),
    paths: Object.fromEntries<PathItem>(paths),
  }
}
