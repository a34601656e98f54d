import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { validRequest } from '../conformance/acts/valid-request.ts'
import { operationNamed, requestOf } from '../conformance/deployment/account.ts'
import { Deployment } from '../conformance/deployment/deployment.ts'
import { bareContext } from '../conformance/kernel/bare-context-testing.ts'
import { startPushRelay } from '../conformance/push-relay-testing.ts'
import { fc } from '../conformance/seed-testing.ts'
import { readContract } from '../conformance/wire/contract.ts'
import { Http, type Login, type Pairs } from '../conformance/wire/http.ts'
import { Pace } from '../conformance/wire/pace.ts'
import type { ContractOperation } from './contract.ts'
import { basic, onEachDatabase, sharedParley, type TestServer } from './testing.ts'

const contract = readContract()
const operations = operationsOf(JSON.parse(readFileSync(new URL('../generated/decoded.json', import.meta.url), 'utf8')))

function operationsOf(definition: { paths: Record<string, Record<string, ContractOperation>> }): ContractOperation[] {
  return Object.entries(definition.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
}

interface Shot {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}
interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends what fetch would tidy up or refuse. */
function shoot(server: TestServer, { method, path, headers, body }: Shot): Promise<Reply> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
      answer.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Whether the answer is none of the envelope's: its operation has none, or the other method of the path that the request named. */
function isBare({ path, 'x-envelope': hasEnvelope }: ContractOperation, type: string | undefined): boolean {
  const hasBare = operations.some((one) => one.path === path && one['x-envelope'] === false)
  return hasEnvelope === false || (hasBare && type !== 'application/json')
}

/** ENV-6 to ENV-10, ENV-13, ENV-15: whatever came in. */
function assertEnvelope(reply: Reply, shot: Pick<Shot, 'method'>, operation?: ContractOperation): void {
  const { status, headers, text } = reply
  assert.ok(status >= 200 && status < 500, `status ${status}: ${text}`)
  assert.match(String(headers['x-request-id']), /^\w+-\w+$/)
  if (shot.method === 'OPTIONS' && status === 204) {
    assert.match(String(headers.allow), /OPTIONS/)
    return
  }
  if (shot.method === 'HEAD') {
    assert.equal(text, '')
    return
  }
  if (status === 200 && operation && isBare(operation, headers['content-type'])) return
  assert.equal(headers['content-type'], 'application/json')
  const body = JSON.parse(text)
  assert.ok(typeof body === 'object' && body !== null && !Array.isArray(body))
  assert.equal(body.result, status === 200 ? 'success' : 'error', text)
  if (status === 200) {
    assert.equal(body.msg, '')
    assert.ok(!('code' in body))
    return
  }
  assert.ok(typeof body.msg === 'string' && body.msg !== '')
  assert.match(body.code, /^[A-Z_]+$/)
  assert.ok(!('ignored_parameters_unsupported' in body))
}

const anyNasty = fc.oneof(
  fc.constantFrom(
    '',
    'true',
    'null',
    '0',
    '-1',
    '1.5',
    '1e400',
    '9007199254740993',
    '99999999999999999999',
    '2147483648',
  ),
  fc.constantFrom(
    '[]',
    '{}',
    '[[]]',
    '[1,"x",null]',
    '["\\ud800"]',
    '{"__proto__":1}',
    '[{"name":5}]',
    '[["channel",""]]',
  ),
  fc.constantFrom(
    '\0',
    'a\0b',
    '"\\u0000"',
    '"',
    '{"a":',
    '%',
    '\u{1F600}',
    '  ',
    '\r\n',
    '../../etc/passwd',
    "' or 1=1 --",
  ),
  fc.constantFrom(
    '['.repeat(5000),
    `${'['.repeat(200)}${']'.repeat(200)}`,
    `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  ),
  fc.integer({ min: 1, max: 8000 }).map((length) => 'x'.repeat(length)),
  fc.string({ unit: 'grapheme' }),
  fc.json(),
  fc.integer().map(String),
)
/** Raw text of a pair, not a name and a value: what no encoder would write. */
const anyBroken = fc.constantFrom(
  '%',
  '%zz=1',
  'content=%ff',
  '%00=1',
  'topic=a%00b',
  'x=%c3%28',
  '=',
  '&&',
  '==',
  'a[b]=1',
  '\xff=\xfe',
)

type Change =
  | { readonly kind: 'set' | 'repeat'; readonly name: string; readonly value: string }
  | { readonly kind: 'drop'; readonly name: string }
  | { readonly kind: 'raw'; readonly text: string }

function anyChanges(operation: ContractOperation): fc.Arbitrary<Change[]> {
  const known = Object.entries(operation['x-decode']).flatMap(([name, { aliases }]) => [name, ...aliases])
  const name = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...known, 'foo') },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'é😀', '', 'n'.repeat(300)) },
  )
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), name, value: anyNasty }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat' as const), name, value: anyNasty }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), name }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('raw' as const), text: anyBroken }) },
    ),
    { maxLength: 4 },
  )
}

function pairsOf(right: Pairs, changes: readonly Change[]): { pairs: [string, string][]; raw: string[] } {
  let pairs = right.map(([name, value]): [string, string] => [name, value])
  const raw: string[] = []
  for (const change of changes) {
    if (change.kind === 'raw') raw.push(change.text)
    else if (change.kind === 'drop') pairs = pairs.filter(([name]) => name !== change.name)
    else {
      if (change.kind === 'set') pairs = pairs.filter(([name]) => name !== change.name)
      pairs.push([change.name, change.value])
    }
  }
  return { pairs, raw }
}

const encoded = (pairs: readonly [string, string][], raw: readonly string[]): string =>
  [...pairs.map(([name, value]) => String(new URLSearchParams([[name, value]]))), ...raw].join('&')

function multipart(pairs: readonly [string, string][], end: string): Buffer {
  const parts = pairs.map(
    ([name, value]) =>
      `--BOUNDARY\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"\r\n\r\n${value}\r\n`,
  )
  return Buffer.from(`${parts.join('')}${end}`)
}

const WAYS = [
  'query',
  'form',
  'multipart',
  'multipart cut',
  'multipart file',
  'json',
  'text',
  'no type',
  'gzip',
  'gzip of nothing',
] as const

function packed(
  way: (typeof WAYS)[number],
  pairs: [string, string][],
  raw: string[],
): { query: string; headers: Record<string, string>; body?: Buffer } {
  const form = 'application/x-www-form-urlencoded'
  const text = encoded(pairs, raw)
  const withType = (type: string | undefined, body: Buffer, more: Record<string, string> = {}) => ({
    query: '',
    headers: { ...(type && { 'Content-Type': type }), 'Content-Length': String(body.length), ...more },
    body,
  })
  switch (way) {
    case 'query':
      // Bytes beyond ASCII in a request line are not HTTP; "a raw connection" sends them.
      return { query: text.replaceAll(/[\x80-\xff]/g, ''), headers: {} }
    case 'form':
      return withType(form, Buffer.from(text, 'latin1'))
    case 'multipart':
      return withType('multipart/form-data; boundary=BOUNDARY', multipart(pairs, '--BOUNDARY--\r\n'))
    case 'multipart cut':
      return withType('multipart/form-data; boundary=BOUNDARY', multipart(pairs, '--BOUND'))
    case 'multipart file':
      return withType(
        'multipart/form-data; boundary=BOUNDARY',
        multipart([...pairs, ['f"; filename="f.txt', 'x']], '--BOUNDARY--'),
      )
    case 'json':
      return withType('application/json', Buffer.from(JSON.stringify(Object.fromEntries(pairs))))
    case 'text':
      return withType('text/plain; charset=utf-16', Buffer.from(text))
    case 'no type':
      return withType(undefined, Buffer.from(text))
    case 'gzip':
      return withType(form, gzipSync(Buffer.from(text, 'latin1')), { 'Content-Encoding': 'gzip' })
    case 'gzip of nothing':
      return withType(form, Buffer.from(text), { 'Content-Encoding': 'gzip' })
    default:
      return way satisfies never
  }
}

const anyShot = (operation: ContractOperation) =>
  fc.record({
    changes: anyChanges(operation),
    way: fc.constantFrom(...WAYS, 'query', 'form', 'form'),
    method: fc.oneof(
      { weight: 8, arbitrary: fc.constant(operation.method.toUpperCase()) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND') },
    ),
    pathValue: fc.oneof(
      fc.constant(RIGHT),
      fc.constantFrom('1', '7', '0', '99999999999999999999', 'x', '%31', '%ff', '%00', '-1', '1/2', ''),
    ),
    as: fc.constantFrom(RIGHT, RIGHT, 'owner', 'owner', 'guest', 'bot', 'nobody'),
  })

/** What the suite sends for the operation to succeed: its path, or who sends it. */
const RIGHT = 'right' as const

const relay = await startPushRelay()

onEachDatabase('whatever comes in', (dialect) => {
  // With these every operation can succeed.
  const settings = { pushRelayUrl: relay.url, hasDevelopmentLogin: true }
  const parley = sharedParley(dialect, settings)
  /** For URLs of channels: one of the methods that are tried there archives the channel that all others use. */
  const withoutChannels = sharedParley(dialect, settings)
  /** For what gives accounts new keys, with which nobody else could go on. */
  const withOtherKeys = sharedParley(dialect, settings)
  /** For what leaves nobody to ask anything else. */
  const withAnEnd = sharedParley(dialect, settings)
  /** Generated requests an operation; together a few seconds on each database. */
  const numRuns = 30

  // What it deletes, others ask for.
  const isDeleting = (operation: ContractOperation): number => Number(operation.operationId === 'delete-message')
  for (const operation of operations.toSorted((one, other) => isDeleting(one) - isDeleting(other))) {
    const { operationId } = operation
    test(`${operationId}: never a 500, always the envelope (ENV-6 to ENV-13)`, async () => {
      const own = operation.path.includes('/streams/{')
        ? withoutChannels
        : givesKeys(operation)
          ? withOtherKeys
          : operationId === 'deactivate-realm'
            ? withAnEnd
            : parley
      const server = await own()
      const right = await rightRequest(server, operationId)
      const keys = new Map<string, string>()
      const method = operation.method.toUpperCase()
      const way = method === 'GET' ? ('query' as const) : ('form' as const)
      const unchanged = { changes: [], way, method, pathValue: RIGHT, as: RIGHT }
      let isFirst = true
      await fc.assert(
        fc.asyncProperty(anyShot(operation), async ({ changes, way, method, pathValue, as }) => {
          const { pairs, raw } = pairsOf(right.pairs, changes)
          const { query, headers, body } = packed(way, pairs, raw)
          const account = as === 'nobody' ? undefined : as === RIGHT ? right.as : server.as(as)
          // Another method may delete what others ask for, so it is tried on what is not there.
          const isThere = method === operation.method.toUpperCase() || !['1', '%31', RIGHT].includes(pathValue)
          const values = operation.path.replaceAll(/\{\w+\}/g, isThere ? pathValue : '0')
          const route = isThere && pathValue === RIGHT ? right.path : values
          const shot: Shot = {
            method,
            path: query === '' ? route : `${route}?${query}`,
            headers: {
              ...headers,
              ...(account && { Authorization: basic(account.email, keys.get(as) ?? account.apiKey) }),
            },
            body,
          }
          const reply = await shoot(server, shot)
          assertEnvelope(reply, shot, operation)
          if (isFirst && !right.hasFile) assert.equal(reply.status, 200, reply.text)
          isFirst = false
          if (operationId === 'regenerate-own-api-key' && reply.status === 200 && method === 'POST') {
            keys.set(as, JSON.parse(reply.text).api_key)
          }
          if (reply.status === 200 && method !== 'HEAD' && !isBare(operation, reply.headers['content-type'])) {
            assertIgnored(reply.text, operation, method, way === 'query' || way === 'form', pairs, raw)
          }
        }),
        { numRuns, examples: [[unchanged]] },
      )
      if (operationId.startsWith('deactivate-') && own !== withAnEnd) await reactivateAll(server)
    })
  }
})

/** Also a bot's new owner gives it one. */
function givesKeys({ path, operationId }: ContractOperation): boolean {
  return path.includes('api_key/regenerate') || operationId === 'update-bot'
}

const deployments = new WeakMap<TestServer, Promise<Deployment>>()

function deploymentAt(server: TestServer): Promise<Deployment> {
  const logins = Object.values(server.credentials.users).map(({ email, api_key: apiKey }) => ({ email, apiKey }))
  const opened = deployments.get(server) ?? Deployment.open(new Http(server.url, new Pace()), contract, logins)
  deployments.set(server, opened)
  return opened
}

/** What the suite sends for the operation to succeed, but for its file. */
async function rightRequest(
  server: TestServer,
  operationId: string,
): Promise<{ readonly path: string; readonly pairs: Pairs; readonly as: Login; readonly hasFile: boolean }> {
  const deployment = await deploymentAt(server)
  const operation = operationNamed(contract, operationId)
  const { as, values } = await validRequest(bareContext(deployment, operationId), operation)
  const { path, form = [], file } = requestOf(operation, values)
  const { pathname, searchParams } = new URL(path, server.url)
  return { path: pathname, pairs: [...searchParams, ...form], as: as.login, hasFile: file !== undefined }
}

/** The accounts that later requests come from. */
async function reactivateAll(server: TestServer): Promise<void> {
  for (const { user_id: id } of Object.values(server.credentials.users)) {
    await server.as('owner').must('POST', `/users/${id}/reactivate`)
  }
}

/** Unknown names, all of them and nothing else, are reported on success (ENV-11, ENV-12). */
function assertIgnored(
  text: string,
  operation: ContractOperation,
  method: string,
  isPlain: boolean,
  pairs: readonly [string, string][],
  raw: readonly string[],
): void {
  if (!isPlain || raw.length > 0 || method.toLowerCase() !== operation.method) return
  const known = new Set(
    Object.entries(operation['x-decode']).flatMap(([name, rule]) =>
      rule.in === 'path' ? [] : [name, ...rule.aliases],
    ),
  )
  const unknown = [...new Set(pairs.map(([name]) => name))].filter((name) => !known.has(name))
  const reported = JSON.parse(text).ignored_parameters_unsupported
  assert.deepEqual(reported, unknown.length === 0 ? undefined : unknown.sort())
}
