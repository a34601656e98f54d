import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as shape from './shape.ts'

const { ascendingInts, both, dependingOn, fields, filled, int, list, mapOf, nullable, optional } = shape

test('say what is wrong, and where', () => {
  const byKind = dependingOn(fields({ kind: shape.oneOf('a') }), fields({ a: int }), fields({ b: int }))
  for (const [expected, value, problems] of [
    [int, 5.5, ['/x: 5.5 must be integer']],
    [shape.any, null, []],
    [shape.uri, '/user_avatars/1.png', []],
    [shape.uri, 'http://[', ['/x: "http://[" must match format "uri"']],
    [nullable(int), null, []],
    [nullable(int), 'a', ['/x: "a" must be integer']],
    [list(int), [1, '2'], ['/x/1: "2" must be integer']],
    [filled(list(int)), [], ['/x: [] must NOT have fewer than 1 items']],
    [filled(mapOf(int)), {}, ['/x: {} must NOT have fewer than 1 properties']],
    [ascendingInts, [1, 3], []],
    [ascendingInts, [3, 1], ['/x: [3,1] must be ascending']],
    [ascendingInts, [1, 1], ['/x: [1,1] must be ascending']],
    [fields({ a: int, b: optional(int) }), { a: 1, c: 2 }, []],
    [fields({ a: nullable(int), b: optional(int) }), { b: null }, ['/x: {"b":null} must have required property \'a\'']],
    [fields({ b: optional(int) }), { b: 'c' }, ['/x/b: "c" must be integer']],
    [both(fields({ a: int }), shape.without('b')), { a: 1, b: 1 }, ['/x: {"a":1,"b":1} must NOT be valid']],
    [mapOf(int, 'integer'), { 7: 1 }, []],
    [mapOf(int), { a: 'b' }, ['/x/a: "b" must be integer']],
    [byKind, { kind: 'a', a: 1 }, []],
    [byKind, { kind: 'b', a: 1 }, ['/x: {"kind":"b","a":1} must have required property \'b\'']],
  ] as const) {
    assert.deepEqual(shape.problems(fields({ x: expected }), { x: value }), problems, JSON.stringify(value))
  }
  assert.notDeepEqual(shape.problems(mapOf(int, 'integer'), { a: 1 }), [])
})
