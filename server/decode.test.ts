import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '../conformance/seed-testing.ts'
import { ApiError, BadRequestError, ConfusingParametersError } from '../domain/errors.ts'
import { heapInUse } from '../domain/heap-testing.ts'
import { checkedPair, type DecodeRule, decodeInput, parsePairs } from './decode.ts'

const rule = (as: DecodeRule['as'], type?: string | string[], more: Partial<DecodeRule> = {}): DecodeRule => ({
  in: 'form',
  as,
  ...(type !== undefined && { type }),
  aliases: [],
  ...more,
})
const operation = {
  'x-decode': {
    message_id: rule('json', 'integer', { in: 'path' }),
    emoji_name: rule('string', 'string', { in: 'path' }),
    topic: rule('string', 'string', { aliases: ['subject', 'thread'] }),
    to: rule('json-or-string', ['integer', 'string', 'array']),
    num_before: rule('json', 'integer'),
    anchor: rule('json-or-string', ['integer', 'string'], { anyInteger: true }),
    ratio: rule('json', 'number'),
    dont_block: rule('json', 'boolean'),
    narrow: rule('json', 'array'),
    event_types: rule('json', ['array', 'null']),
    data: rule('json', 'object'),
    anything: rule('json'),
    terms: rule('json', 'array', { anyInteger: true }),
    value: rule('json-or-verbatim', ['boolean', 'string']),
    recipients: rule('json', 'array', { once: true }),
    content: rule('string', 'string', { nullBytes: true }),
  },
}
const decoded = (form: string, query = '', pathParameters: Record<string, string> = {}) =>
  decodeInput(operation, { pathParameters, query: parsePairs(query), form: parsePairs(form) })
const inputOf = (form: string) => decoded(form).input
const json = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`
const refuse = (form: string, message: string) =>
  assert.throws(() => decoded(form), { name: 'BadRequestError', code: 'BAD_REQUEST', message })

test('split pairs', () => {
  assert.deepEqual(parsePairs(''), [])
  assert.deepEqual(parsePairs('a=1&&b&=2&c=x=y&a='), [
    ['a', '1'],
    ['b', ''],
    ['', '2'],
    ['c', 'x=y'],
    ['a', ''],
  ])
  assert.deepEqual(parsePairs('x%5By%5D=a+b%2B&d[0][type]=z'), [
    ['x[y]', 'a b+'],
    ['d[0][type]', 'z'],
  ])
  assert.deepEqual(parsePairs('a=%EF%BB%BFx%0D%0Ay'), [['a', '\uFEFFx\r\ny']])
})

test('read bytes as UTF-8, in bodies and in request lines', () => {
  assert.deepEqual(parsePairs(Buffer.from('é=ü%C3%9F')), [['é', 'üß']])
  assert.deepEqual(parsePairs(Buffer.from('é=ü%C3%9F').toString('latin1')), [['é', 'üß']])
  assert.deepEqual(parsePairs('a=✓'), [['a', '✓']])
})

test('refuse anything but text, by name', () => {
  const refused = (source: string | Uint8Array, message: RegExp) =>
    assert.throws(
      () => parsePairs(source),
      (err) => err instanceof BadRequestError && message.test(err.message),
    )
  for (const value of ['%', '%4', '%zz', '%ff', '%c0%80', '%ed%a0%80']) {
    refused(`a=1&topic=${value}`, /^Malformed payload: topic is not/)
    refused(`${value}=1`, /^Malformed payload: a parameter name is not/)
  }
  refused('a%00b=1', /^Malformed payload: a parameter name/)
  refused(Buffer.from([0x61, 0x3d, 0xff]), /^Malformed payload: the body is not UTF-8$/)
  refused('a=\xff', /^Malformed payload/)
  refused('a=✓\ud800', /^Malformed payload: a is not well-formed/)
  assert.throws(() => checkedPair('topic', '\ud800'), {
    message: 'Malformed payload: topic is not well-formed Unicode',
  })
})

test('refuse more than a thousand pairs', () => {
  assert.equal(parsePairs('a=1&'.repeat(1000)).length, 1000)
  assert.throws(() => parsePairs('a=1&'.repeat(1001)), /more than 1000 parameters/)
})

test('prefer form to query, and the last of repeated names', () => {
  assert.deepEqual(decoded('topic=form', 'topic=query&num_before=5').input, { topic: 'form', num_before: 5 })
  assert.deepEqual(inputOf('topic=first&topic=last'), { topic: 'last' })
})

test('read path parameters from the path only', () => {
  assert.deepEqual(decoded('message_id=8', 'message_id=9', { message_id: '007', emoji_name: '8' }), {
    input: { message_id: 7, emoji_name: '8' },
    ignored: ['message_id'],
  })
})

test('list unknown names once, as sent, in alphabetical order (DIFF-IGNORED)', () => {
  const { input, ignored } = decoded('zoo=1&topic=t&Topic=2', 'b=1&a=2&b=3&to[]=4&zoo=5')
  assert.deepEqual(input, { topic: 't' })
  assert.deepEqual(ignored, ['Topic', 'a', 'b', 'to[]', 'zoo'])
})

test('ignore names of prototypes', () => {
  const { input, ignored } = decoded('__proto__=1&constructor=2&toString=3')
  assert.deepEqual(input, {})
  assert.deepEqual(ignored, ['__proto__', 'constructor', 'toString'])
  refuse(`data=${encodeURIComponent('{"__proto__":{"a":1}}')}`, 'Argument "__proto__" at data is unexpected')
  refuse(`data=${encodeURIComponent('[{"\\u005f_proto__":1}]')}`, 'Argument "__proto__" at data is unexpected')
})

test('read an alias, and refuse two names of one parameter', () => {
  assert.deepEqual(decoded('subject=lunch'), { input: { topic: 'lunch' }, ignored: [] })
  assert.throws(
    () => decoded('subject=a', 'topic=b'),
    (err) =>
      err instanceof ConfusingParametersError && err.data.var_name1 === 'topic' && err.data.var_name2 === 'subject',
  )
  assert.throws(() => decoded('subject=a&topic=a'), ConfusingParametersError)
  assert.throws(() => decoded('subject=a&thread=b'), ConfusingParametersError)
})

test('parse JSON if the contract says so', () => {
  assert.deepEqual(inputOf('topic=5&num_before=5&dont_block=true&ratio=0.5'), {
    topic: '5',
    num_before: 5,
    dont_block: true,
    ratio: 0.5,
  })
  assert.deepEqual(inputOf('narrow=[[1,"a"]]&event_types=null'), { narrow: [[1, 'a']], event_types: null })
  assert.deepEqual(inputOf('topic="x"'), { topic: '"x"' })
  refuse('num_before=abc', 'num_before is not an integer')
  refuse('num_before=', 'num_before is not an integer')
  refuse('dont_block=True', 'dont_block is not a boolean')
  refuse('ratio=x', 'ratio is not a float')
  refuse('narrow=[1', 'narrow is not valid JSON')
  refuse('event_types=abc', 'event_types is not valid JSON')
  refuse('data=abc', 'data is not valid JSON')
})

test('parse a list or object again if it was encoded twice', () => {
  assert.deepEqual(inputOf(`narrow="[]"&${json('data', '{"a":1}')}`), { narrow: [], data: { a: 1 } })
  assert.deepEqual(inputOf('narrow="x"&anything="[]"'), { narrow: 'x', anything: '[]' })
})

test('accept raw text where JSON is not allowed', () => {
  const to = (text: string) => inputOf(`to=${encodeURIComponent(text)}`).to
  assert.equal(to('7'), 7)
  assert.equal(to('"mobile"'), 'mobile')
  assert.deepEqual(to('["a@b"]'), ['a@b'])
  for (const text of ['general', 'true', 'null', '1.5', '{"a":1}', '[1,', '"half', '07', 'team', '-', '']) {
    assert.equal(to(text), text)
  }
})

test('keep quotes that are part of a string', () => {
  const value = (text: string) => inputOf(`value=${encodeURIComponent(text)}`).value
  assert.deepEqual(['true', '#ff0000', '"#ff0000"', '"true"', '5', 'null', '[1]'].map(value), [
    true,
    '#ff0000',
    '"#ff0000"',
    '"true"',
    '5',
    'null',
    '[1]',
  ])
})

test('refuse a name that was sent twice in one form, because one value would be ignored', () => {
  const message = 'recipients was sent more than once: several values go into one, as JSON'
  refuse('recipients=[4]&recipients=[5]', message)
  refuse('recipients=[4]&topic=t&recipients=[4]', message)
  assert.throws(() => decoded('', 'recipients=[4]&recipients=[5]'), { message })
  assert.deepEqual(decoded('recipients=[4]', 'recipients=[5]').input, { recipients: [4] }, 'the form wins')
  assert.deepEqual(inputOf('to=4&to=5&topic=a&topic=b'), { to: 5, topic: 'b' }, 'of all others the last counts')
})

test('refuse null bytes, unless the operation does', () => {
  for (const form of ['topic=a%00b', 'to=a%00b', 'value=a%00b', 'to="\\u0000"', 'data={"a\\u0000":1}']) {
    refuse(form, `${form.split('=')[0]} must not contain null bytes`)
  }
  assert.deepEqual(inputOf('content=a%00b'), { content: 'a\0b' })
  assert.deepEqual(decoded('unknown=a%00b').ignored, ['unknown'])
})

test('refuse integers that would lose digits', () => {
  refuse('num_before=9007199254740993', 'num_before is too large')
  refuse('num_before=-9007199254740993', 'num_before is too small')
  refuse('num_before=1e999', 'num_before is too large')
  refuse('narrow=[[9007199254740993]]', 'narrow is too large')
  refuse('to=9007199254740993', 'to is too large')
  assert.deepEqual(inputOf('num_before=9007199254740991&to=10000000000000000'), {
    num_before: 9007199254740991,
    to: 1e16,
  })
  assert.deepEqual(decoded('', '', { message_id: '99999999999999999999' }).input, {
    message_id: Number.MAX_SAFE_INTEGER,
  })
})

test('clamp an integer of any size if the contract says so', () => {
  const anchor = (text: string) => inputOf(`anchor=${text}`).anchor
  assert.deepEqual(['7', '9223372036854775807', '1e300', '-9223372036854775808', 'newest', '1.5'].map(anchor), [
    7,
    1e16,
    1e16,
    -1e16,
    'newest',
    '1.5',
  ])
  assert.deepEqual(inputOf('terms=[{"operand":99999999999999999999},-1e300,7]').terms, [{ operand: 1e16 }, -1e16, 7])
})

test('refuse deep and long JSON', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  assert.ok(inputOf(`narrow=${nested(100)}`).narrow)
  refuse(`narrow=${nested(101)}`, 'narrow is nested too deeply (limit: 100 levels)')
  refuse(`narrow=${'['.repeat(500_000)}`, 'narrow is nested too deeply (limit: 100 levels)')
  refuse(json('narrow', nested(101)), 'narrow is nested too deeply (limit: 100 levels)')
  assert.ok(inputOf(json('narrow', [`"\\${'['.repeat(200)}`])).narrow)
  refuse(`narrow="${'a'.repeat(1_048_576)}"`, 'narrow is too long (limit: 1048576 characters)')
})

test('refuse text that databases cannot store', () => {
  refuse(`to=${encodeURIComponent('"\\ud800"')}`, 'Malformed payload: to is not well-formed Unicode')
  refuse(`data=${encodeURIComponent('{"\\udc00":1}')}`, 'Malformed payload: data is not well-formed Unicode')
  refuse(`narrow=${encodeURIComponent('["\\u0000"]')}`, 'narrow must not contain null bytes')
})

const anyText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed())
const smallNumbers = (_key: string, value: unknown) =>
  typeof value === 'number' ? Math.trunc(value % 1e9) || 0 : value
const anyJson = fc
  .jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })
  .map((value): unknown => JSON.parse(JSON.stringify(value, smallNumbers)))

test('decoding restores encoded values', () => {
  const anyInput = fc.record(
    {
      topic: anyText,
      to: fc.oneof(fc.maxSafeInteger(), anyText, fc.array(fc.oneof(fc.maxSafeInteger(), anyText))),
      num_before: fc.maxSafeInteger(),
      ratio: fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((value) => value || 0),
      dont_block: fc.boolean(),
      narrow: fc.array(anyJson),
      event_types: fc.option(fc.array(anyText)),
      data: fc.dictionary(
        anyText.filter((key) => key !== '__proto__'),
        anyJson,
        { noNullPrototype: true },
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  const isKept = (value: unknown): boolean => !/\\u0000|__proto__/.test(JSON.stringify(value))
  fc.assert(
    fc.property(anyInput.filter(isKept), fc.boolean(), (input, inQuery) => {
      const texts = Object.entries(input).map(([name, value]) => [
        name,
        name === 'topic' ? value : JSON.stringify(value),
      ])
      const encoded = new URLSearchParams(texts as [string, string][]).toString()
      assert.deepEqual(inQuery ? decoded('', encoded).input : inputOf(encoded), input)
    }),
  )
})

test('refuse with an error of the API or not at all', () => {
  const piece = fc.constantFrom(
    ...Object.keys(operation['x-decode']),
    '=',
    '=',
    '&',
    '%',
    '%0',
    '%ff',
    '%00',
    '+',
    '[',
    ']',
  )
  const jsonPiece = fc.constantFrom(
    '"',
    '\\ud800',
    '{"a":',
    '}',
    '1e999',
    '-',
    '9'.repeat(20),
    'null',
    '\xff',
    '✓',
    '\ud800',
  )
  const anySource = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(piece, jsonPiece), { maxLength: 20 }).map((pieces) => pieces.join('')),
    fc
      .tuple(piece, fc.array(jsonPiece))
      .map(([name, pieces]) => `${name}=${encodeURIComponent(pieces.join('').toWellFormed())}`),
  )
  fc.assert(
    fc.property(anySource, (source) => {
      try {
        decodeInput(operation, { pathParameters: {}, query: [], form: parsePairs(source) })
      } catch (err) {
        assert.ok(err instanceof ApiError, String(err))
        assert.doesNotMatch(err.message, /undefined/)
      }
    }),
    { numRuns: 3000 },
  )
})

test('SEC-MEM-3: a kept value does not keep its body in memory', () => {
  const kept: string[] = []
  const before = heapInUse()
  for (let index = 0; index < 50; index += 1) {
    const body = `topic=${'a topic without escapes '.replaceAll(' ', '-')}${index}&x=${'x'.repeat(1_000_000)}`
    for (const [name, value] of parsePairs(Buffer.from(body))) if (name === 'topic') kept.push(value)
  }
  const grown = heapInUse() - before
  assert.equal(kept.at(-1), 'a-topic-without-escapes-49')
  assert(grown < 10_000_000, `50 bodies of 1 MB leave ${grown} bytes`)
})
