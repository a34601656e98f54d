import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decodedDocument, requestsDocument } from './decoded.ts'
import { inputsHash, STAMP, type Stamp } from './freshness.ts'
import { handlerFiles, registry } from './registry.ts'
import { settingsModule } from './settings.ts'
import { dereferenced, readSource } from './source.ts'
import { nameFailures, testingOnly, withoutTesting } from './testing-paths.ts'
import { wireDocument } from './wire.ts'
import { wire30Document } from './wire30.ts'

export interface BuildOptions {
  /** The folder with `openapi/` and `handlers/`. */
  root: string
  /**
   * Whether to lint, validate, check the examples and generate the types too. This takes seconds; the rest a fraction
   * of one.
   */
  complete: boolean
}

/**
 * Generates everything in `generated/`, and `server/operations.generated.ts`.
 *
 * @throws {Error} with all problems of the first failing step. Then nothing is written, unless an operation lacks its
 * handler: the types come first, because the handler is written with them.
 */
export async function build({ root, complete }: BuildOptions): Promise<void> {
  const hash = inputsHash(root) // before reading, so that any later change makes the result stale
  const source = await readSource(join(root, 'openapi'))
  nameFailures(source)
  const wire = wireDocument({ ...source, document: withoutTesting(source.document) })
  const testing = wireDocument({ ...source, document: testingOnly(source.document) })
  const [whole, wholeTesting] = [await dereferenced(wire), await dereferenced(testing)]
  const wire30 = wire30Document(wire)
  const testing30 = wire30Document(testing)
  const decoded = decodedDocument(whole)
  const files: Record<string, string> = {
    'wire.json': JSON.stringify(wire),
    'wire-3.0.json': JSON.stringify(wire30),
    'decoded.json': JSON.stringify(decoded),
    'requests.json': JSON.stringify(requestsDocument(decoded)),
    'testing.json': JSON.stringify({
      '3.1': testing,
      '3.0': testing30,
      decoded: decodedDocument(wholeTesting),
      errors: source.errors,
    }),
    'settings.ts': settingsModule(source.settings),
  }
  if (complete) {
    const { checkContract } = await import('./check.ts')
    await checkContract(root, source, { wire, whole, wire30, testing, wholeTesting, testing30 })
    const { operationTypes } = await import('./types.ts')
    files['operations.ts'] = await operationTypes(source.document)
  }
  for (const [file, text] of Object.entries(files)) writeAtomically(join(root, 'generated', file), text)
  writeAtomically(join(root, 'server/operations.generated.ts'), registry(wire, handlerFiles(join(root, 'handlers'))))
  const stamp: Stamp = { hash, complete }
  writeAtomically(join(root, STAMP), JSON.stringify(stamp))
}

/** Several processes may generate at once; none may read half a file. */
function writeAtomically(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, text)
  renameSync(temporary, file)
}
