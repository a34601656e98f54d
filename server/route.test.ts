import assert from 'node:assert/strict'
import test from 'node:test'
import { BadRequestError, MethodNotAllowedError, UnknownUrlError } from '../domain/errors.ts'
import { type RoutedOperation, RouteTable } from './route.ts'

const operation = (line: string): RoutedOperation => {
  const [method = '', route = ''] = line.split(' ')
  const integers = [...route.matchAll(/\{(\w+_id)\}/g)].map(([, name]) => [name, { type: 'integer' }])
  const rest = [...route.matchAll(/\{(\w+_path)\}/g)].map(([, name]) => [name, { type: 'string', slashes: true }])
  return { operationId: line, method, path: route, 'x-decode': Object.fromEntries([...integers, ...rest]) }
}
const operations = [
  'get /users',
  'post /users',
  'get /users/me',
  'patch /users/{user_id}',
  'get /users/{user_id}',
  'get /users/{email}',
  'delete /users/{email}',
  'get /users/{user_id}/subscriptions/{stream_id}',
  'get /users/{user_id_or_email}/presence',
  'put /users/{email}/fields/{name}',
  'get /users/me/{stream_id}/topics',
  'post /realm/emoji/{emoji_name}',
  'get /files/{stream_id}/{file_path}',
  'get /files/{stream_id}/{name}/meta',
].map(operation)
const table = new RouteTable(operations)
const matched = (method: string, path: string) => {
  const { operation, pathParameters } = table.match(method, path)
  return [operation.operationId, { ...pathParameters }]
}

test('prefer literal text to an integer, and an integer to any text', () => {
  assert.deepEqual(matched('GET', '/users/me'), ['get /users/me', {}])
  assert.deepEqual(matched('GET', '/users/7'), ['get /users/{user_id}', { user_id: '7' }])
  assert.deepEqual(matched('GET', '/users/a@b'), ['get /users/{email}', { email: 'a@b' }])
})

test('fall back to a less specific route that has the method', () => {
  assert.deepEqual(matched('DELETE', '/users/7'), ['delete /users/{email}', { email: '7' }])
  assert.deepEqual(matched('GET', '/users/me/presence'), [
    'get /users/{user_id_or_email}/presence',
    { user_id_or_email: 'me' },
  ])
  assert.deepEqual(matched('PUT', '/users/7/fields/color'), [
    'put /users/{email}/fields/{name}',
    { email: '7', name: 'color' },
  ])
})

test('a parameter with slashes takes the rest of the path, if nothing else matches', () => {
  const rest = (file_path: string) => ['get /files/{stream_id}/{file_path}', { stream_id: '7', file_path }]
  assert.deepEqual(matched('GET', '/files/7/a'), rest('a'))
  assert.deepEqual(matched('GET', '/files/7/a/b.txt'), rest('a/b.txt'))
  assert.deepEqual(matched('GET', '/files/7/a%2Fb%20c.txt'), rest('a/b c.txt'))
  assert.deepEqual(matched('GET', '/files/7/a/meta'), [
    'get /files/{stream_id}/{name}/meta',
    { stream_id: '7', name: 'a' },
  ])
  for (const path of ['/files/7', '/files/7/', '/files/7/a/', '/files/7/a//b', '/files/x/a']) {
    assert.throws(() => table.match('GET', path), UnknownUrlError, path)
    assert.throws(() => table.allowed(path), UnknownUrlError, path)
  }
  assert.deepEqual(table.allowed('/files/7/a/b'), ['GET', 'HEAD', 'OPTIONS'])
})

test('serve HEAD wherever GET is', () => {
  assert.deepEqual(matched('HEAD', '/users/7'), ['get /users/{user_id}', { user_id: '7' }])
  assert.throws(() => table.match('HEAD', '/realm/emoji/x'), MethodNotAllowedError)
})

test('list the methods of a path', () => {
  assert.deepEqual(table.allowed('/users/7'), ['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'])
  assert.deepEqual(table.allowed('/users/me'), ['GET', 'HEAD', 'OPTIONS'], 'nobody is called "me"')
  assert.throws(() => table.match('DELETE', '/users/me'), MethodNotAllowedError)
  assert.throws(
    () => table.match('PUT', '/users'),
    (err) => err instanceof MethodNotAllowedError && err.headers.Allow === 'GET, HEAD, POST, OPTIONS',
  )
})

test('accept only digits for an integer', () => {
  for (const text of ['abc', '7a', '-7', '+7', '7.0', '%2B7', '', ' 7']) {
    assert.throws(() => table.match('GET', `/users/me/${text}/topics`), UnknownUrlError)
  }
})

test('accept only one spelling of a URL', () => {
  for (const path of ['/users/', '/Users', '//users', 'users', '', '/', '/users/me/', '/users//presence']) {
    assert.throws(() => table.match('GET', path), UnknownUrlError, path)
  }
})

test('decode segments', () => {
  assert.deepEqual(matched('POST', '/realm/emoji/a%2Fb%20c+d'), [
    'post /realm/emoji/{emoji_name}',
    { emoji_name: 'a/b c+d' },
  ])
  assert.deepEqual(matched('POST', '/re%61lm/emoji/x'), ['post /realm/emoji/{emoji_name}', { emoji_name: 'x' }])
  const bytes = Buffer.from('/realm/emoji/é').toString('latin1')
  assert.deepEqual(matched('POST', bytes), ['post /realm/emoji/{emoji_name}', { emoji_name: 'é' }])
})

test('refuse invalid percent-encoding', () => {
  for (const segment of ['%', '%4', '%zz', '%ff', '%c0%af', '%ed%a0%80', 'a%00b', '\xff']) {
    assert.throws(() => table.match('POST', `/realm/emoji/${segment}`), BadRequestError, segment)
  }
})

test('refuse two operations with the same method and path', () => {
  const twice = [operation('get /a/{x}'), operation('get /a/{y}')]
  assert.throws(() => new RouteTable(twice), /both GET/)
})
