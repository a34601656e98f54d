import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { importCheckArguments } from './steps.ts'

/** Sorted violations `rule: from -> to` in a project of `files` (path to content). */
function violationsOf(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-import-table-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const cruise = spawnSync(process.execPath, [...importCheckArguments(folder), '--output-type', 'json'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const { summary } = JSON.parse(cruise.stdout)
    return summary.violations
      .map((one: { rule: { name: string }; from: string; to: string }) => `${one.rule.name}: ${one.from} -> ${one.to}`)
      .sort()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('report every seeded import that the table forbids, and no other', () => {
  const violations = violationsOf({
    'package.json': '{ "dependencies": { "knex": "1" }, "devDependencies": { "fast-check": "1" } }',
    'node_modules/knex/package.json': '{ "name": "knex", "main": "main.js" }',
    'node_modules/knex/main.js': 'module.exports = 1\n',
    'node_modules/fast-check/package.json': '{ "name": "fast-check", "main": "main.js" }',
    'node_modules/fast-check/main.js': 'module.exports = 1\n',
    // allowed
    'generated/operations.ts': 'export type Input = string\n',
    'domain/limits.ts':
      "import { createHash } from 'node:crypto'\nexport const limit = createHash('md5').digest().length\n",
    'db/messages.ts': "import { limit } from '../domain/limits.ts'\nexport const rows = limit\n",
    'server/app.ts': "import { rows } from '../db/messages.ts'\nexport const app = rows\n",
    'domain/limits.test.ts': "import { app } from '../server/app.ts'\nimport '../db/testing.ts'\nconsole.log(app)\n",
    'db/testing.ts': "import { app } from '../server/app.ts'\nexport const fixture = app\n",
    'client/client.ts': 'export const client = 1\n',
    'conformance/law.ts': "import '../client/client.ts'\n",
    // forbidden
    'domain/upwards.ts': "import type { rows } from '../db/messages.ts'\nexport type Rows = typeof rows\n",
    'domain/reads-files.ts': "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n",
    'handlers/send.ts': "import { runner } from '../jobs/runner.ts'\nexport const send = runner\n",
    'jobs/runner.ts': 'export const runner = 1\n',
    'server/uses-fixture.ts': "import '../db/testing.ts'\n",
    'server/uses-barrel.ts': "import '../events/index.ts'\n",
    'events/index.ts': 'export const everything = 1\n',
    'events/first.ts': "import { second } from './second.ts'\nexport const first = () => second\n",
    'events/second.ts': "import { first } from './first.ts'\nexport const second = () => first\n",
    'conformance/law.test.ts': "import { app } from '../server/app.ts'\nconsole.log(app)\n",
    'db/migrations/0001-first.ts': "import { limit } from '../../domain/limits.ts'\nexport const up = limit\n",
    'permissions/rules.ts': "import knex from 'knex'\nexport const rules = knex\n",
    'db/database.ts': "import knex from 'knex'\nimport fc from 'fast-check'\nexport const database = [knex, fc]\n",
    'lib/misc.ts': "import { limit } from '../domain/limits.ts'\nexport const misc = limit\n",
    'scripts/tool.ts': "import { app } from '../server/app.ts'\nconsole.log(app)\n",
  })
  assert.deepEqual(violations, [
    'conformance-imports: conformance/law.test.ts -> server/app.ts',
    'domain-imports: domain/upwards.ts -> db/messages.ts',
    'frozen-migration: db/migrations/0001-first.ts -> domain/limits.ts',
    'handlers-imports: handlers/send.ts -> jobs/runner.ts',
    'knex-stays-in-db: permissions/rules.ts -> node_modules/knex/main.js',
    'no-barrel: server/uses-barrel.ts -> events/index.ts',
    'no-cycle: events/first.ts -> events/second.ts',
    'no-dev-package: db/database.ts -> node_modules/fast-check/main.js',
    'no-test-import: server/uses-fixture.ts -> db/testing.ts',
    'no-unknown-folder: lib/misc.ts -> domain/limits.ts',
    'pure-domain: domain/reads-files.ts -> fs',
  ])
})
