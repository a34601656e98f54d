import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { validRequest } from '../conformance/acts/valid-request.ts'
import { requestOf } from '../conformance/deployment/account.ts'
import { deploymentAt } from '../conformance/deployment/deployment-testing.ts'
import { PushRelay } from '../conformance/deployment/push-relay.ts'
import { bareContext } from '../conformance/kernel/bare-context-testing.ts'
import { readContract } from '../conformance/wire/contract.ts'
import { type Exchange, Http } from '../conformance/wire/http.ts'
import { Pace } from '../conformance/wire/pace.ts'
import { perform } from './admin.ts'
import { startProcess, temporaryFolder } from './process-testing.ts'
import { emptyDatabase, onEachDatabase } from './testing.ts'

const METRICS_TOKEN = 'token-of-the-metrics'
const contract = readContract()
const relay = await PushRelay.listen()

/** Names of parameters and fields that are secrets, or links that end with one. */
const IS_SECRET = /^(password|old_password|new_password|api_key|invite_key|push_key|token|signature)$/
const IS_LINK = /^(link_url|invite_link)$/

/** The secrets of the contract. Before adding one, check where it is kept. */
const ALL_SECRETS = [
  ...['api_key', 'invite_key', 'invite_link', 'link_url', 'new_password', 'old_password', 'password'],
  ...['push_key', 'signature', 'token'],
]

/**
 * Names that only look like secrets: half of a pair of keys, and the place of a file (docs/security.md says why an
 * archive's may be kept).
 */
const NO_SECRETS = ['bouncer_public_key', 'file_key']
/** The key with which the suite requests the page of an invitation, which anybody may do. */
const NO_KEY = 'conformance'

/** Yields all fields in a part of an answer, with their names, at any depth. */
function* fieldsOf(value: unknown): Generator<readonly [name: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    yield [name, inner]
    yield* fieldsOf(inner)
  }
}

/** Yields the secrets in a request and its answer, by name. */
function* secretsOf({
  request: { path, form = [] },
  body,
}: Exchange): Generator<readonly [name: string, secret: string]> {
  const query = new URL(path, 'http://parley').searchParams
  for (const [name, value] of [...form, ...query, ...fieldsOf(body)]) {
    if (typeof value !== 'string' || value === '' || value === NO_KEY) continue
    if (IS_SECRET.test(name)) yield [name, value]
    if (IS_LINK.test(name)) yield [name, value.split('/').at(-1) ?? '']
  }
  const [, signature] = /\/user_uploads\/temporary\/\d+\/([\w-]+)\//.exec(String(body?.url ?? path)) ?? []
  if (signature !== undefined) yield ['signature', signature]
  const [, key] = /\/join\/(\w+)/.exec(path) ?? []
  if (key !== undefined && key !== NO_KEY) yield ['invite_key', key]
}

const formsOf = (secret: string): string[] => [
  secret,
  ...(['base64', 'hex'] as const).map((encoding) => Buffer.from(secret).toString(encoding)),
]

onEachDatabase('secrets of all operations', (dialect) => {
  test('are not in the database, the log, metrics, exports or refusals (SEC-SECRET-1)', async (t) => {
    const dataFolder = await temporaryFolder(t)
    const { location, remove } = await emptyDatabase(dialect)
    t.after(remove)
    const DATABASE_URL = location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url
    const environment = {
      DATABASE_URL,
      PARLEY_LOG_LEVEL: 'trace',
      PARLEY_METRICS_TOKEN: METRICS_TOKEN,
      PARLEY_PUSH_RELAY_URL: relay.url,
      PARLEY_DEVELOPMENT_LOGIN: 'on',
    }
    const server = await startProcess(t, { dataFolder, environment })
    const secrets = new Map<string, string>()
    const refusals: string[] = []
    const http = new Http(server.url, new Pace(), {
      onExchange(exchange) {
        for (const [name, secret] of secretsOf(exchange)) secrets.set(secret, name)
        if (exchange.status >= 400) refusals.push(exchange.text)
      },
    })
    const deployment = await deploymentAt(server, http)
    const context = bareContext(deployment, 'secrets')
    for (const operation of contract.operations.values()) {
      if (operation.id === 'get-metrics' || operation.endsService) continue
      const { as, values } = await validRequest(context, operation)
      const request = requestOf(operation, values)
      if (operation.minimumRole === 'anonymous') await deployment.send(request)
      // Once with a wrong key, once with unknown values, and once correctly.
      else for (const account of [as.withKey('Wrong'.repeat(6)), as]) await account.send(request)
      await as.send(requestOf(operation, { ...values, email: 'no address', username: 'nobody@parley.example' }))
    }
    const person = (await deployment.newUser()) ?? assert.fail(deployment.noUsers)
    const passwords = { old_password: person.password, new_password: 'quite another password' }
    await person.must('update-settings', passwords)
    await t.test('of every kind in the contract', () => {
      const named = [...contract.operations.values()].flatMap(({ parameters }) => parameters.map(({ name }) => name))
      const inContract = named.filter((name) => /password|secret|token$|key$/.test(name) && !IS_SECRET.test(name))
      assert.deepEqual([...new Set(inContract)].sort(), NO_SECRETS)
      assert.deepEqual([...new Set(secrets.values())].sort(), ALL_SECRETS)
    })

    const admin = (...args: string[]) => perform(args, { PARLEY_DATA: dataFolder, DATABASE_URL }, () => undefined)
    const [, key = ''] = /^key=(\w+)$/m.exec((await admin('reset-key', server.as('bot').email)).join('\n')) ?? []
    const [, password = ''] = /^Password: (\S+)$/m.exec((await admin('reset-password', person.email)).join('\n')) ?? []
    const { url, token } = JSON.parse(await readFile(join(dataFolder, 'operator.json'), 'utf8'))
    await fetch(`${url}/run`, { method: 'POST', headers: { Authorization: 'Bearer wrong-token' } })
    const { users, password: first } = server.credentials
    const keys = Object.values(users).map((user) => user.api_key)
    const others = [key, password, token, 'wrong-token', METRICS_TOKEN, first, ...Object.values(passwords), ...keys]
    for (const secret of [...others, (await readFile(join(dataFolder, 'secret'), 'utf8')).trim()]) {
      assert.ok(secret !== undefined && secret.length >= 6)
      secrets.set(secret, 'secret')
    }
    await admin('invites')
    await admin('export', join(dataFolder, 'all.tar.gz'), '--type', 'full_without_consent')
    const shown = { Authorization: `Bearer ${METRICS_TOKEN}` }
    const metrics = await (await fetch(`${server.url}/metrics`, { headers: shown })).text()
    const { stderr: log, stdout } = await server.kill('SIGTERM')
    const places = {
      ...(location.kind === 'sqlite' && { database: (await readFile(location.file)).toString('latin1') }),
      export: gunzipSync(await readFile(join(dataFolder, 'all.tar.gz'))).toString('latin1'),
      log,
      metrics,
      refusals: refusals.join('\n'),
    }
    for (const text of [places.database ?? places.export, places.export]) assert.ok(text.includes(person.email))
    assert.match(log, /update-settings/)
    const found = Object.entries(places).flatMap(([place, text]) => {
      assert.ok(text.length > 1000, `nothing is in the ${place}`)
      return [...secrets].flatMap(([secret, name]) =>
        formsOf(secret).some((form) => text.includes(form)) ? [`${name} ${secret} in the ${place}`] : [],
      )
    })
    assert.deepEqual(found, [])
    // The output at the start is for the operator, and contains only the demo bot's secrets.
    assert.deepEqual(
      [...secrets.keys()].filter((secret) => stdout.includes(secret)),
      [users.bot?.api_key],
    )
  })
})
