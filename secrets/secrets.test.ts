import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { hashPassword, isPassword, isWellFormedApiKey, newApiKey, Secrets } from './secrets.ts'

const SECRET = 'a secret of more than thirty-two characters'

test('keys are 32 letters and digits, never twice the same', () => {
  const keys = Array.from({ length: 1000 }, newApiKey)
  for (const key of keys) assert.match(key, /^[A-Za-z0-9]{32}$/)
  assert.equal(new Set(keys).size, 1000)
  const seen = new Set(keys.join(''))
  assert.equal(seen.size, 62, 'every letter and digit occurs')
})

test('distinguish well-formed keys from others', () => {
  assert.ok(isWellFormedApiKey('a'.repeat(32)))
  for (const key of [
    '',
    'a'.repeat(31),
    'a'.repeat(33),
    `${'a'.repeat(31)}-`,
    `${'a'.repeat(31)}é`,
    `${'a'.repeat(31)}\n`,
  ]) {
    assert.ok(!isWellFormedApiKey(key), JSON.stringify(key))
  }
})

test('the stored form of a key reveals it only with the secret', () => {
  const key = newApiKey()
  const { apiKeyHash, apiKeyEncrypted } = new Secrets(SECRET).storedApiKey(key)
  assert.match(apiKeyHash, /^[0-9a-f]{64}$/)
  for (const stored of [apiKeyHash, apiKeyEncrypted, Buffer.from(apiKeyEncrypted, 'base64').toString('latin1')]) {
    assert.ok(!stored.includes(key))
  }
  assert.equal(new Secrets(SECRET).decrypt(apiKeyEncrypted), key)
  assert.equal(new Secrets(SECRET).hashApiKey(key), apiKeyHash)
  const thief = new Secrets(`${SECRET}!`)
  assert.throws(() => thief.decrypt(apiKeyEncrypted))
  assert.notEqual(thief.hashApiKey(key), apiKeyHash, 'a keyed hash: nobody else can try keys against it')
})

test('encryption of a key differs each time, and changes are noticed', () => {
  const secrets = new Secrets(SECRET)
  const key = newApiKey()
  const encrypted = secrets.encrypt(key)
  assert.notEqual(secrets.encrypt(key), encrypted)
  const bytes = Buffer.from(encrypted, 'base64')
  for (const index of [0, 12, 28, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] ?? 0) ^ 1
    assert.throws(() => secrets.decrypt(changed.toString('base64')), `byte ${index}`)
  }
})

test('recognize the secret by its check value', () => {
  const { checkValue } = new Secrets(SECRET)
  assert.match(checkValue, /^[0-9a-f]{64}$/)
  assert.equal(new Secrets(SECRET).checkValue, checkValue)
  assert.notEqual(new Secrets(`${SECRET}!`).checkValue, checkValue)
})

test('sign links: for one file, until one moment, by one server', () => {
  const secrets = new Secrets(SECRET)
  const signature = secrets.signLink('1/ab/x.txt', 1000)
  assert.match(signature, /^[\w-]{43}$/)
  assert.ok(secrets.isLinkSignature(signature, '1/ab/x.txt', 1000))
  const others: [string, string, number][] = [
    [signature, '1/ab/y.txt', 1000],
    [signature, '1/ab/x.txt', 1001],
    [signature.slice(1), '1/ab/x.txt', 1000],
    [`${signature}a`, '1/ab/x.txt', 1000],
    ['é'.repeat(43), '1/ab/x.txt', 1000],
    ['', '1/ab/x.txt', 1000],
  ]
  for (const [sent, pathId, expiresAt] of others) assert.ok(!secrets.isLinkSignature(sent, pathId, expiresAt))
  assert.ok(!new Secrets(`${SECRET}!`).isLinkSignature(signature, '1/ab/x.txt', 1000))
})

test('compare a key with a stored hash', () => {
  const secrets = new Secrets(SECRET)
  const key = newApiKey()
  assert.ok(secrets.isApiKey(key, secrets.hashApiKey(key)))
  assert.ok(!secrets.isApiKey(newApiKey(), secrets.hashApiKey(key)))
})

test('a password matches in both Unicode forms, and others do not', async () => {
  const stored = await hashPassword('pässword')
  assert.ok(!stored.includes('ssword'))
  assert.ok(await isPassword('pässword', stored))
  assert.ok(await isPassword('pa\u0308ssword', stored))
  assert.ok(!(await isPassword('password', stored)))
  assert.ok(!(await isPassword('', stored)))
  assert.notEqual(await hashPassword('pässword'), stored, 'salted')
})

test('a password stored at another cost still works', async () => {
  const { scryptSync } = await import('node:crypto')
  const salt = Buffer.from('0123456789abcdef')
  const hash = scryptSync('old', salt, 32, { N: 1024, r: 4, p: 2 })
  const stored = ['scrypt', 1024, 4, 2, salt.toString('base64'), hash.toString('base64')].join('$')
  assert.ok(await isPassword('old', stored))
  assert.ok(!(await isPassword('new', stored)))
})

test('without a stored password no password matches', async () => {
  assert.ok(!(await isPassword('', null)))
})

test('two passwords are hashed at the same time, however many are requested; a failure does not block others (SEC-MEM-6)', async () => {
  const begun = new Set<number>()
  let most = 0
  const hook = createHook({
    init(id, type) {
      if (type !== 'SCRYPTREQUEST') return
      begun.add(id)
      most = Math.max(most, begun.size)
    },
    before(id) {
      begun.delete(id)
    },
  }).enable()
  const broken = assert.rejects(isPassword('any', 'scrypt$3$1$1$AAAA$AAAA'))
  const hashes = await Promise.all(Array.from({ length: 8 }, () => hashPassword('any')))
  hook.disable()
  await broken
  assert.equal(most, 2)
  assert.ok(await isPassword('any', hashes[7] ?? null))
})
