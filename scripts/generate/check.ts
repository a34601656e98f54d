import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import SwaggerParser from '@apidevtools/swagger-parser'
import type { Document } from './document.ts'
import { exampleProblems } from './examples.ts'
import { lintProblems } from './lint.ts'
import { portabilityProblems } from './portability.ts'
import type { Source } from './source.ts'

type Documents = Readonly<Record<'wire' | 'whole' | 'wire30' | 'testing' | 'wholeTesting' | 'testing30', Document>>

/**
 * Checks the contract: redocly's rules, ours, the documents as OpenAPI, and every example.
 *
 * @throws {Error} with all problems of the first of these that found any
 */
export async function checkContract(
  root: string,
  source: Source,
  { wire, whole, wire30, testing, wholeTesting, testing30 }: Documents,
): Promise<void> {
  failOn('the contract breaks our rules (scripts/generate/lint.ts)', lintProblems(source))
  failOn('examples do not fit their schemas', [whole, wholeTesting].flatMap(exampleProblems))
  failOn(
    'wire-3.0.json is not for generators (scripts/generate/portability.ts)',
    [wire30, testing30].flatMap(portabilityProblems),
  )
  await validate('wire.json', wire)
  await validate('wire-3.0.json', wire30)
  await validate('testing.json, 3.1', testing)
  await validate('testing.json, 3.0', testing30)
  await redocly(root)
}

/** @throws {Error} if `document` does not match the official schema of its OpenAPI version */
async function validate(name: string, document: Document): Promise<void> {
  const copy = structuredClone(document) as unknown as Parameters<typeof SwaggerParser.validate>[0]
  await SwaggerParser.validate(copy).catch((err: Error) => failOn(`${name} is not valid OpenAPI`, [err.message]))
}

async function redocly(root: string): Promise<void> {
  const openapi = join(root, 'openapi')
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const args = [
    cli,
    'lint',
    join(openapi, 'openapi.yaml'),
    '--config',
    join(openapi, 'redocly.yaml'),
    '--format',
    'stylish',
  ]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root, env })
  } catch (err) {
    const { stdout = '', stderr = '' } = err as { stdout?: string; stderr?: string }
    throw new Error(`redocly found problems\n${stdout}${stderr}`, { cause: err })
  }
}

function failOn(what: string, problems: string[]): void {
  if (problems.length > 0) throw new Error(`${what}\n  ${problems.join('\n  ')}`)
}
