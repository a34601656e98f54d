import { readdirSync } from 'node:fs'
import type { Document } from './document.ts'
import { operationsOf } from './document.ts'

/** Handler files in `folder`, as `<resource>/<operation-id>` in alphabetical order, without tests and `handler.ts`. */
export function handlerFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  const handlers = files.filter((file) => /\/.*(?<!\.test|-testing)\.ts$/.test(file))
  return handlers.map((file) => file.slice(0, -'.ts'.length)).sort()
}

/**
 * The content of `server/operations.generated.ts`: every operation with its handler, `handlers/<first
 * tag>/<operationId>.ts`.
 *
 * @throws {Error} that names every operation without a file and every file without an operation
 */
export function registry(document: Document, files: readonly string[]): string {
  const expected = operationsOf(document).map(({ operation }) => `${operation.tags?.[0]}/${operation.operationId}`)
  const problems = [
    ...expected
      .filter((file) => !files.includes(file))
      .map((file) => `handlers/${file}.ts is missing: the contract has this operation`),
    ...files
      .filter((file) => !expected.includes(file))
      .map((file) => `handlers/${file}.ts: the contract has no such operation`),
  ]
  if (problems.length > 0) throw new Error(`contract and handlers differ\n  ${problems.join('\n  ')}`)
  const operations = expected.toSorted().map((file) => {
    const id = file.slice(file.indexOf('/') + 1)
    return { file, id, name: camelCase(id) }
  })
  return [
    '// Made by scripts/generate.ts from openapi/ and handlers/; do not edit.',
    "import type { OperationId } from '../generated/operations.ts'",
    "import type { Handler } from '../handlers/handler.ts'",
    ...operations.map(({ file, name }) => `import { ${name} } from '../handlers/${file}.ts'`),
    '',
    'export const operations: { readonly [Op in OperationId]: Handler<Op> } = {',
    ...operations.map(({ id, name }) => `  '${id}': ${name},`),
    '}',
    '',
  ].join('\n')
}

/** `register-queue` → `registerQueue`, `get-openapi-3-0` → `getOpenapi30`. */
function camelCase(operationId: string): string {
  return operationId.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
