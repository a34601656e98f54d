import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { PYTHON, withoutOwnConfiguration, withPython } from './testing.ts'

const root = join(import.meta.dirname, '../..')

test('the plugin for pytest gives the tests of a bot a server that they rule', withPython, async () => {
  const examples = join(root, 'examples/pytest')
  const { stdout } = await promisify(execFile)(
    PYTHON ?? '',
    ['-m', 'pytest', '-p', 'pytest_parley', '-p', 'no:cacheprovider', '--quiet', examples],
    {
      env: {
        ...withoutOwnConfiguration(),
        PYTHONPATH: join(root, 'clients/pytest'),
        PYTHONDONTWRITEBYTECODE: '1',
        PARLEY_SERVER: `'${process.execPath}' '${join(root, 'server/command.mjs')}'`,
      },
      timeout: 120_000,
    },
  )
  const written = readdirSync(examples).flatMap(
    (file) => readFileSync(join(examples, file), 'utf8').match(/^def test_/gm) ?? [],
  )
  assert.match(stdout, new RegExp(`^${written.length} passed`, 'm'))
})
