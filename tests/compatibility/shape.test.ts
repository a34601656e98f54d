import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as shape from './shape.ts'

const { any, ascendingInts, bool, both, dependingOn, fields, filled, int, list, mapOf, matching, nullable } = shape
const { oneOf, optional, str, tuple, uri, without } = shape

test('say what is wrong, and where', () => {
  for (const [expected, value, problems] of [
    [int, 5, []],
    [int, 5.5, ['x: 5.5 is not an integer']],
    [int, null, ['x: null is not an integer']],
    [str, 5, ['x: 5 is not a string']],
    [bool, 0, ['x: 0 is not a boolean']],
    [any, null, []],
    [uri, '/user_avatars/1.png', []],
    [uri, 'http://[', ['x: "http://[" is not a URI']],
    [oneOf(1, 2), 3, ['x: 3 is not one of 1, 2']],
    [matching(/^#[0-9a-f]{6}$/), '#A0B', ['x: "#A0B" is not /^#[0-9a-f]{6}$/']],
    [nullable(int), null, []],
    [nullable(int), 'a', ['x: "a" is not an integer']],
    [list(int), [1, '2'], ['x[1]: "2" is not an integer']],
    [list(int), {}, ['x: {} is not a list']],
    [filled(list(int)), [1], []],
    [filled(list(int)), [], ['x: empty']],
    [filled(mapOf(int)), {}, ['x: empty']],
    [tuple(str, int), ['a', 1], []],
    [tuple(str, int), ['a'], ['x: ["a"] is not a list of 2']],
    [ascendingInts, [1, 3], []],
    [ascendingInts, [3, 1], ['x: [3,1] is not ascending']],
    [ascendingInts, [1, 1], ['x: [1,1] is not ascending']],
    [fields({ a: int }), { a: 1, b: 2 }, []],
    [fields({ a: int, b: nullable(int) }), {}, ['x.a: absent', 'x.b: absent']],
    [fields({ a: optional(int) }), {}, []],
    [fields({ a: optional(int) }), { a: null }, []],
    [fields({ a: optional(int) }), { a: 'b' }, ['x.a: "b" is not an integer']],
    [fields({}), [], ['x: [] is not an object']],
    [both(fields({ a: int }), without('b')), { b: 1 }, ['x.a: absent', 'x.b: must be absent']],
    [mapOf(int, 'integer'), { 7: 1 }, []],
    [mapOf(int, 'integer'), { a: 'b' }, ['x: the key "a" is not an integer', 'x.a: "b" is not an integer']],
    [dependingOn((value) => fields({ [String(value.key)]: int })), { key: 'b' }, ['x.b: absent']],
  ] as const) {
    assert.deepEqual(expected.problems(value, 'x'), problems, JSON.stringify(value))
  }
})
