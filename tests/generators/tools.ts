import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { keptFolder } from '../../scripts/kept-folder.ts'
import { pythonWith } from '../../scripts/test/python.ts'
import { programFile, run } from './generator.ts'

const OAPI_CODEGEN = '2.8.2'
/** 7.14 sends `True`, and drops fields of events. */
const OPENAPI_GENERATOR = '7.25.0'

/** Path of oapi-codegen, from the Go module proxy. @throws {Error} if it is not available */
export async function oapiCodegenProgram(): Promise<string> {
  const folder = await keptFolder(`oapi-codegen-${OAPI_CODEGEN}`, async (draft) => {
    mkdirSync(draft)
    const source = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${OAPI_CODEGEN}`
    await run(draft, ['go', 'install', source], { GOBIN: draft })
  })
  return join(folder, 'oapi-codegen')
}

/** Path of openapi-generator, from Maven Central. @throws {Error} if it is not available */
export async function openapiGeneratorJar(): Promise<string> {
  const folder = await keptFolder(`openapi-generator-${OPENAPI_GENERATOR}`, async (draft) => {
    mkdirSync(draft)
    const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`
    await run(draft, ['mvn', '-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${draft}`])
  })
  return join(folder, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`)
}

/** Path of a Python with openapi-python-client, from PyPI. @throws {Error} if it is not available */
export async function pythonWithGenerator(): Promise<string> {
  const python = await pythonWith(programFile('python/requirements.txt'))
  if (python === undefined) throw new Error('python3 is not installed')
  return python
}
