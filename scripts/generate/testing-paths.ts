import type { Document, LocatedOperation, PathItem } from './document.ts'

/** What a server offers only when it was started for tests. */
const BELOW = '/testing/'
const TAG = 'testing'

export function isForTests({ path }: Pick<LocatedOperation, 'path'>): boolean {
  return path.startsWith(BELOW)
}

/** The contract of every server. @returns the same without what is for tests */
export function withoutTesting(document: Document): Document {
  return part(
    document,
    (path) => !isForTests({ path }),
    (tag) => tag !== TAG,
  )
}

/** What a server that was started for tests has beside it. */
export function testingOnly(document: Document): Document {
  return part(
    document,
    (path) => isForTests({ path }),
    (tag) => tag === TAG,
  )
}

function part(document: Document, hasPath: (path: string) => boolean, hasTag: (tag: string) => boolean): Document {
  const paths = Object.entries(document.paths).filter(([path]) => hasPath(path))
  return {
    ...document,
    ...(document.tags !== undefined && { tags: document.tags.filter(({ name }) => hasTag(name)) }),
    paths: Object.fromEntries<PathItem>(paths),
  }
}
