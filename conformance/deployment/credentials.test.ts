import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCredentials } from './credentials.ts'

async function read(text: string): Promise<ReturnType<typeof readCredentials>> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-credentials-'))
  try {
    const file = join(folder, 'credentials')
    await writeFile(file, text)
    return readCredentials(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('read a zuliprc', async () => {
  const text = '# mine\n[api]\nemail=bot@example.com\nkey = abc\r\nsite: https://chat.example.com\n[other]\nkey=no\n'
  assert.deepEqual(await read(text), {
    url: 'https://chat.example.com',
    logins: [{ email: 'bot@example.com', apiKey: 'abc' }],
  })
})

test('read demo-credentials.json', async () => {
  const users = { owner: { email: 'o@example.com', api_key: 'one', user_id: 1 }, broken: { email: 'x@example.com' } }
  assert.deepEqual(await read(JSON.stringify({ base_url: 'http://127.0.0.1:1', users })), {
    url: 'http://127.0.0.1:1',
    logins: [{ email: 'o@example.com', apiKey: 'one' }],
  })
})

for (const [name, text, says] of [
  ['an empty file', '', /has no credentials/],
  ['a zuliprc without a key', '[api]\nemail=a@example.com\n', /has no credentials/],
  ['broken JSON', '{"users":', /is not JSON/],
  ['JSON without users', '{}', /has no credentials/],
  ['JSON with users that are a word', '{"users":"many"}', /has no credentials/],
] as const) {
  test(`refuse ${name}`, () => assert.rejects(read(text), { name: 'CannotRunError', message: says }))
}

test('refuse a missing file', () => {
  assert.throws(() => readCredentials('/nowhere/credentials'), { name: 'CannotRunError', message: /cannot be read/ })
})
