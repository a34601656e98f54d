import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { UnauthorizedError } from '../domain/errors.ts'
import { AnswerMismatchError } from './answer-mismatch.ts'
import { type Call, type ContractOptions, createContract } from './contract.ts'
import { parsePairs } from './decode.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  additionalProperties?: unknown
}

const real = JSON.parse(readFileSync(new URL('../generated/decoded.json', import.meta.url), 'utf8'))

const answer = (properties: Record<string, Schema>) => ({
  content: {
    'application/json': {
      schema: { type: 'object', required: Object.keys(properties), properties, additionalProperties: false },
    },
  },
})
const event = (type: string, op: string, fields: Record<string, Schema>) => ({
  type: 'object',
  required: ['type', 'op', ...Object.keys(fields)],
  properties: { type: { const: type }, op: { const: op }, ...fields },
  additionalProperties: false,
})
const input = (properties: object, required: string[]) => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', properties, required } } },
})
const small = {
  openapi: '3.1.0',
  info: { title: 'small', version: '1' },
  security: [{ basicAuth: [] }],
  paths: {
    '/api/v1/messages/{message_id}': {
      get: {
        operationId: 'get-message',
        requestBody: input(
          {
            message_id: { type: 'integer' },
            apply_markdown: { type: 'boolean', default: true },
            narrow: { type: 'array', items: { type: 'string' }, default: [] },
          },
          ['message_id'],
        ),
        responses: {
          200: answer({ result: { const: 'success' }, content: { type: 'string' } }),
          400: answer({ result: { const: 'error' }, code: { const: 'BAD_REQUEST' } }),
        },
        'x-decode': {
          message_id: { in: 'path', as: 'json', type: 'integer', aliases: [] },
          apply_markdown: { in: 'query', as: 'json', type: 'boolean', aliases: [] },
          narrow: { in: 'query', as: 'json', type: 'array', aliases: [] },
        },
      },
    },
    '/api/v1/events': {
      get: {
        operationId: 'get-events',
        security: [],
        requestBody: input({ queue_id: { type: 'string' } }, ['queue_id']),
        responses: {
          200: answer({
            events: {
              type: 'array',
              items: {
                oneOf: [
                  event('stream', 'create', { streams: { type: 'array', items: { type: 'integer' } } }),
                  event('stream', 'delete', { ids: { type: 'array' } }),
                  event('reaction', 'add', { emoji: { type: 'string' } }),
                ],
              },
            },
          }),
          500: { content: { 'text/plain': { schema: { type: 'string' } } } },
        },
        'x-decode': { queue_id: { in: 'query', as: 'string', type: 'string', aliases: [] } },
      },
    },
  },
  components: { securitySchemes: { basicAuth: { type: 'http', scheme: 'basic' } } },
}

type Actor = { readonly id: number }
type Echo = Pick<Call<string, Actor>, 'actor' | 'input' | 'ignored'> & { readonly handler: string }
const options = (more: Partial<ContractOptions<string, string, Actor, Echo>> = {}) => ({
  definition: small,
  handlers: { 'get-message': 'message handler', 'get-events': 'events handler' },
  authenticate: (request: string): Actor => {
    if (request !== 'credentials') throw new UnauthorizedError()
    return { id: 7 }
  },
  authorize: () => {},
  run: (handler: string, { actor, input, ignored }: Call<string, Actor>): Echo => ({ handler, actor, input, ignored }),
  ...more,
})
const contract = await createContract(options())
type Served = Pick<typeof contract, 'match' | 'handle'>
const get = async (url: string, request = 'credentials', served: Served = contract) => {
  const [path = '', query = ''] = url.split('?')
  return served.handle({ match: served.match('GET', path), query: parsePairs(query), form: [], request })
}

test('pass on actor, typed input with its defaults, and ignored names', async () => {
  assert.deepEqual(await get('/api/v1/messages/5?foo=1&narrow=["a"]'), {
    handler: 'message handler',
    actor: { id: 7 },
    input: { message_id: 5, apply_markdown: true, narrow: ['a'] },
    ignored: ['foo'],
  })
})

test('give each request its own defaults', async () => {
  const first = await get('/api/v1/messages/5')
  const second = await get('/api/v1/messages/5')
  assert.deepEqual(first.input.narrow, [])
  assert.notEqual(first.input.narrow, second.input.narrow)
})

test('refuse missing credentials before reading parameters', async () => {
  await assert.rejects(get('/api/v1/messages/5?apply_markdown=x', 'nothing'), UnauthorizedError)
  await assert.rejects(get('/api/v1/messages/5?apply_markdown=x'), { message: 'apply_markdown is not a boolean' })
})

test('require no credentials if the contract does not', async () => {
  const { actor, input } = await get('/api/v1/events?queue_id=q', 'nothing')
  assert.deepEqual([actor, input], [undefined, { queue_id: 'q' }])
  await assert.rejects(get('/api/v1/events', 'nothing'), {
    code: 'REQUEST_VARIABLE_MISSING',
    data: { var_name: 'queue_id' },
  })
})

test('authorize validated input before running', async () => {
  const steps: string[] = []
  const served = await createContract(
    options({
      authorize: ({ operationId }, actor) => {
        steps.push(`authorize ${operationId} ${actor?.id}`)
        throw new UnauthorizedError('not you')
      },
      run: () => assert.fail('must not run'),
    }),
  )
  await assert.rejects(get('/api/v1/messages/5?narrow=5', undefined, served), { message: 'narrow is not a list' })
  assert.deepEqual(steps, [])
  await assert.rejects(get('/api/v1/messages/5', undefined, served), { message: 'not you' })
  assert.deepEqual(steps, ['authorize get-message 7'])
})

test('pass errors through unchanged', async () => {
  const broken = new Error('database is gone')
  const throwing = () => {
    throw broken
  }
  for (const place of ['authenticate', 'authorize', 'run'] as const) {
    const served = await createContract(options({ [place]: throwing }))
    await assert.rejects(get('/api/v1/messages/5', undefined, served), (err) => err === broken, place)
  }
})

test('require exactly one handler for each operation', async () => {
  const { handlers } = options()
  await assert.rejects(createContract(options({ handlers: { 'get-events': '' } })), /get-message has no handler/)
  await assert.rejects(createContract(options({ handlers: { ...handlers, other: '' } })), /Unknown operationId other/)
})

test('require an implementation of each security scheme', async () => {
  const definition = { ...small, security: [{ cookie: [] }] }
  await assert.rejects(createContract(options({ definition })), /nothing checks security scheme cookie/)
})

test('accept answers that match the contract', () => {
  contract.checkAnswer('get-message', 200, { result: 'success', content: '' })
  contract.checkAnswer('get-message', 400, { result: 'error', code: 'BAD_REQUEST' })
  contract.checkAnswer('get-events', 200, { events: [{ type: 'stream', op: 'create', streams: [1] }] })
  contract.checkAnswer('get-events', 500, 'not JSON, so not looked at')
})

test('show what is wrong in an answer', () => {
  const message = (status: number, body: unknown, operationId = 'get-message') => {
    try {
      contract.checkAnswer(operationId, status, body)
    } catch (err) {
      assert.ok(err instanceof AnswerMismatchError)
      return err.message
    }
    return assert.fail('accepted')
  }
  const events = (...list: unknown[]) => message(200, { events: list }, 'get-events').replace(/, got .*/, '')
  assert.equal(
    message(200, { result: 'success', content: 5 }),
    'get-message 200: /content: expected type "string", got 5',
  )
  assert.equal(
    message(200, { result: 'success' }),
    'get-message 200: answer: expected a field "content", got {"result":"success"}',
  )
  assert.match(message(200, { result: 'success', content: '', more: 1 }), /answer: expected no field "more"/)
  assert.match(message(400, { result: 'error', code: 'OTHER' }), /\/code: expected const "BAD_REQUEST", got "OTHER"/)
  assert.match(message(418, {}), /expected a status of the contract, got 418/)
  assert.equal(
    events({ type: 'reaction', op: 'add', emoji: '' }, { type: 'stream', op: 'create', streams: ['x'] }),
    'get-events 200: /events/1/streams/0: expected type "integer"',
  )
  assert.equal(
    events({ type: 'stream', op: 'update' }),
    'get-events 200: /events/0: expected one of type "stream", op "create" | type "stream", op "delete" | type "reaction", op "add"',
  )
})

test('check answers against the contract of their own server, with another one in the process', async () => {
  const [path] = Object.entries(small.paths)
  assert.ok(path)
  const [name, { get }] = path
  const responses = { ...get.responses, 400: answer({ result: { const: 'error' }, code: { const: 'OTHER' } }) }
  const definition = { ...small, paths: { ...small.paths, [name]: { get: { ...get, responses } } } }
  const other = await createContract(options({ definition }))
  contract.checkAnswer('get-message', 400, { result: 'error', code: 'BAD_REQUEST' })
  other.checkAnswer('get-message', 400, { result: 'error', code: 'OTHER' })
  assert.throws(() => other.checkAnswer('get-message', 400, { result: 'error', code: 'BAD_REQUEST' }))
  assert.throws(() => contract.checkAnswer('get-message', 400, { result: 'error', code: 'OTHER' }))
})

test('close every object in answers of the real contract', () => {
  const open: string[] = []
  const walk = (schema: Schema, where: string) => {
    if (schema.properties !== undefined && schema.additionalProperties !== false) open.push(where)
    for (const [name, inside] of Object.entries(schema.properties ?? {})) walk(inside, `${where}.${name}`)
    for (const inside of schema.anyOf ?? schema.oneOf ?? []) walk(inside, where)
    if (schema.items !== undefined) walk(schema.items, `${where}[]`)
  }
  for (const { operationId, responses } of realContract.operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      const json = content?.['application/json'] as { schema: Schema } | undefined
      // The two documents describe themselves, and may contain anything that OpenAPI allows.
      if (json !== undefined && !operationId.startsWith('get-openapi')) walk(json.schema, `${operationId} ${status}`)
    }
  }
  assert.deepEqual(open, [])
})

const realIds = Object.values<Record<string, { operationId?: string }>>(real.paths)
  .flatMap((item) => Object.values(item))
  .flatMap(({ operationId }) => operationId ?? [])
const realContract = await createContract(
  options({ definition: real, handlers: Object.fromEntries(realIds.map((id) => [id, id])) }),
)
