import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { servedCheckArguments } from './steps.ts'

const generated = join(import.meta.dirname, '../../generated')

/** Rules that the served document breaks after a change. */
function brokenRules(
  name: string,
  change: (document: { components: { schemas: Record<string, object> } }) => void,
): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-served-'))
  try {
    const document = JSON.parse(readFileSync(join(generated, name), 'utf8'))
    change(document)
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(document))
    const args = [...servedCheckArguments([file]), '--format', 'json']
    const { stdout } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    })
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string }[] }
    return [...new Set(problems.map(({ ruleId }) => ruleId))].sort()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('3.0: notice what only 3.1 allows, an example that does not fit, and null without a type', () => {
  const rules = brokenRules('wire-3.0.json', ({ components: { schemas } }) => {
    Object.assign(schemas, {
      Reaction: { ...schemas.Reaction, type: ['object', 'null'] },
      EventId: { type: 'integer', example: 'seven' },
      Timestamp: { nullable: true },
    })
  })
  for (const rule of ['struct', 'no-invalid-schema-examples', 'nullable-type-sibling'])
    assert.ok(rules.includes(rule), `${rule}: ${rules}`)
})

test('3.1: notice a type that does not exist and a reference that leads nowhere', () => {
  const rules = brokenRules('wire.json', ({ components: { schemas } }) => {
    Object.assign(schemas, { EventId: { type: 'integr' }, Timestamp: { $ref: '#/components/schemas/Nothing' } })
  })
  for (const rule of ['struct', 'no-unresolved-refs']) assert.ok(rules.includes(rule), `${rule}: ${rules}`)
})
