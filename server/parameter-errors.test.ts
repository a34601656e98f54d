import assert from 'node:assert/strict'
import test from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parameterError } from './parameter-errors.ts'

const ajv = new Ajv2020({ strict: false, verbose: true })
formats.default(ajv)

function errorOf(properties: object, input: object, required: readonly string[] = []) {
  const validate = ajv.compile({ properties: { requestBody: { type: 'object', properties, required } } })
  assert.equal(validate({ requestBody: input }), false)
  return parameterError(validate.errors ?? [], input)
}
/** The message for one parameter `p`. */
const messageOf = (schema: object, value: unknown) => {
  const error = errorOf({ p: schema }, { p: value })
  assert.equal(error.code, 'BAD_REQUEST')
  return error.message
}
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const list = (items: object) => ({ type: 'array', items })
const oneOf = (...anyOf: object[]) => ({ anyOf })
const integer = { type: 'integer' }
const string = { type: 'string' }

test('name a missing parameter', () => {
  const error = errorOf({ to: string }, {}, ['to'])
  assert.equal(error.code, 'REQUEST_VARIABLE_MISSING')
  assert.deepEqual(error.data, { var_name: 'to' })
})

test('name the expected type', () => {
  assert.equal(messageOf(integer, 'x'), 'p is not an integer')
  assert.equal(messageOf({ type: 'number' }, 'x'), 'p is not a float')
  assert.equal(messageOf({ type: 'boolean' }, 1), 'p is not a boolean')
  assert.equal(messageOf(string, 1), 'p is not a string')
  assert.equal(messageOf(list({}), {}), 'p is not a list')
  assert.equal(messageOf(object({}), []), 'p is not a dict')
  assert.equal(messageOf({ type: ['array', 'null'] }, 1), 'p is not a list')
  assert.equal(messageOf({ type: ['integer', 'string', 'array'] }, true), 'p is not an integer, a string or a list')
})

test('name the place inside a parameter', () => {
  const subscriptions = list(object({ name: string }, { required: ['name'] }))
  assert.equal(messageOf(subscriptions, [{ name: 'a' }, { name: 1 }]), 'p[1]["name"] is not a string')
  assert.equal(messageOf(subscriptions, [{}]), 'p[0]["name"] field is missing')
  assert.equal(messageOf({ additionalProperties: integer }, { '0': 'x' }), 'p["0"] is not an integer')
  assert.equal(messageOf({ additionalProperties: integer }, { 'a/b~"': 'x' }), 'p["a/b~\\""] is not an integer')
})

test('use the wording of each kind of bound', () => {
  assert.equal(messageOf({ minimum: 0 }, -1), 'p is too small')
  assert.equal(messageOf({ exclusiveMinimum: 0 }, 0), 'p is too small')
  assert.equal(messageOf({ maximum: 5 }, 6), 'p is too large')
  assert.equal(messageOf({ enum: ['a', 'b'] }, 'c'), 'Invalid p')
  assert.equal(messageOf({ const: 'a' }, 'c'), 'Invalid p')
  assert.equal(messageOf({ multipleOf: 2 }, 3), 'Invalid p')
  assert.equal(messageOf({ maxLength: 2 }, 'abc'), 'p is too long (limit: 2 characters)')
  assert.equal(messageOf({ maxItems: 1 }, [1, 2]), 'p is too long (limit: 1 items)')
  assert.equal(messageOf({ minLength: 1 }, ''), 'p cannot be blank')
  assert.equal(messageOf({ minLength: 3 }, 'ab'), 'p is too short.')
  assert.equal(messageOf({ minLength: 3, maxLength: 3 }, 'ab'), 'p is not length 3')
  assert.equal(messageOf({ minItems: 2, maxItems: 2 }, [1, 2, 3]), 'p is not length 2')
  assert.equal(messageOf({ pattern: '^a' }, 'b'), 'p has invalid format')
  assert.equal(messageOf({ format: 'uri' }, 'b'), 'p is not a URL')
  assert.equal(messageOf({ format: 'date' }, 'b'), 'p is not a date')
  assert.equal(messageOf({ format: 'uuid' }, 'b'), 'p has invalid format')
  assert.equal(messageOf({ uniqueItems: true }, [1, 2, 1]), 'Invalid p: items 0 and 2 are the same')
  assert.equal(messageOf(object({}, { additionalProperties: false }), { x: 1 }), 'Argument "x" at p is unexpected')
  assert.equal(messageOf({ unevaluatedProperties: false }, { x: 1 }), 'Argument "x" at p is unexpected')
  assert.equal(messageOf({ not: {} }, 1), 'Invalid p')
})

test('count characters, not UTF-16 units', () => {
  assert.equal(messageOf({ maxLength: 2 }, '😀😀😀'), 'p is too long (limit: 2 characters)')
  assert.ok(ajv.validate({ maxLength: 2 }, '😀😀'))
})

test('explain the intended alternative', () => {
  const to = oneOf(integer, string, list(integer), list(string))
  assert.equal(messageOf(to, true), 'p is not an integer, a string or a list')
  assert.equal(messageOf(to, [1, 'a']), 'p[1] is not an integer')
  assert.equal(messageOf(to, ['a', 'b', 1]), 'p[2] is not a string')
  assert.equal(messageOf(to, [true]), 'p[0] is not an integer or a string')
  assert.equal(
    messageOf(oneOf({ type: 'integer', minimum: 1 }, { const: 'mobile', type: 'string' }), 0),
    'p is too small',
  )
  assert.equal(messageOf(oneOf(integer, { type: 'string', enum: ['newest'] }), 'x'), 'Invalid p')
  assert.equal(messageOf(oneOf({ enum: ['a'] }, { enum: ['b'] }), 'x'), 'Invalid p')
})

test('explain nested alternatives', () => {
  const operand = oneOf(string, integer, list(integer))
  const term = object({ operator: string, operand }, { required: ['operator', 'operand'] })
  const narrow = list(oneOf(term, { type: 'array', minItems: 2, maxItems: 2, items: string }))
  assert.equal(
    messageOf(narrow, [{ operator: 'x', operand: null }]),
    'p[0]["operand"] is not a string, an integer or a list',
  )
  assert.equal(messageOf(narrow, [{ operator: 'x', operand: ['a'] }]), 'p[0]["operand"][0] is not an integer')
  assert.equal(messageOf(narrow, [['a', 'b'], ['a']]), 'p[1] is not length 2')
  assert.equal(messageOf(narrow, [{ operator: 'x' }]), 'p[0]["operand"] field is missing')
  assert.equal(messageOf(narrow, [5]), 'p[0] is not a dict or a list')
})

test('distinguish alternatives by their constants', () => {
  const dog = object({ kind: { const: 'dog' }, barks: { type: 'boolean' } }, { required: ['barks'] })
  const cat = object({ kind: { const: 'cat' }, lives: integer })
  assert.equal(messageOf(oneOf(dog, cat), { kind: 'cat', lives: 'x' }), 'p["lives"] is not an integer')
  assert.equal(messageOf(oneOf(dog, cat), { kind: 'dog' }), 'p["barks"] field is missing')
  assert.equal(messageOf(oneOf(dog, cat), { kind: 'cow' }), 'Invalid p')
})

test('name all parameters if none is to blame', () => {
  const validate = ajv.compile({ properties: { requestBody: { not: {} } } })
  validate({ requestBody: {} })
  assert.equal(parameterError(validate.errors ?? [], {}).message, 'Invalid parameters')
})
