import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { holdsAt, readRequirements } from './requirements.ts'

const text = readFileSync(join(import.meta.dirname, 'requirements.yaml'), 'utf8')
const { all, notes } = readRequirements()

const sentence = { type: 'string', pattern: '[.`]$' }
const ids = { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true }
const level = {
  type: 'object',
  properties: {
    of: { type: 'string', minLength: 1 },
    from: { type: 'integer', minimum: 1 },
    until: { type: 'integer', minimum: 1 },
  },
  anyOf: [{ required: ['from'] }, { required: ['until'] }],
  additionalProperties: false,
}
const entry = {
  type: 'object',
  properties: {
    says: sentence,
    untestable: sentence,
    ours: { const: 'msg' },
    'same-as': ids,
    level: { anyOf: [level, { type: 'array', items: level, minItems: 1 }] },
  },
  required: ['says'],
  additionalProperties: false,
  // The reason belongs to the requirement that it is the same as.
  not: { required: ['same-as', 'untestable'] },
}
const file = {
  type: 'object',
  properties: {
    notes: { type: 'object', propertyNames: { pattern: '^NOTE-[1-9]\\d*$' }, additionalProperties: sentence },
  },
  additionalProperties: { anyOf: [sentence, entry] },
}

describe('the requirements of the contract', () => {
  test('have the form that they are read by', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false })
    ajv.validate(file, parse(text))
    assert.equal(ajv.errorsText(), 'No errors')
  })

  test('are all there, none twice', () => {
    const ones = [...all.values()]
    assert.equal(ones.length, 807)
    assert.equal(new Set(ones.map(({ says }) => says)).size, ones.length)
  })

  test('have numbers without a gap, under one heading', () => {
    const numbers = Map.groupBy(
      [...all.keys()].map((id) => /^(.+)-(\d+)$/.exec(id)).filter((match) => match !== null && match[1] !== 'LEVEL'),
      (match) => match?.[1],
    )
    for (const [prefix, ones] of numbers) {
      assert.equal(new Set(ones.map((match) => all.get(match?.[0] ?? '')?.area)).size, 1, `${prefix} has one heading`)
      const sorted = ones.map((match) => Number(match?.[2])).sort((a, b) => a - b)
      assert.deepEqual(
        sorted,
        [...sorted.keys()].map((index) => index + 1),
        prefix,
      )
    }
  })

  test('have the notes that they cite, and each is cited', () => {
    const cited = new Set([...all.values()].flatMap((one) => one.notes))
    assert.deepEqual([...cited].toSorted(), [...notes.keys()].toSorted())
    assert.equal(notes.size, 42)
  })

  test('are the same as others that have checks of their own', () => {
    for (const { id, sameAs } of all.values()) {
      for (const other of sameAs) assert.deepEqual(all.get(other)?.sameAs, [], `${id}: same-as ${other}`)
    }
  })

  test('have levels that end after they begin, once for each part', () => {
    for (const { id, levels } of all.values()) {
      assert.equal(new Set(levels.map(({ of }) => of)).size, levels.length, id)
      for (const { from = 0, until = Infinity } of levels) assert.ok(from <= until, id)
    }
  })
})

test('levels hold from the first to the last one, and for a part only where the whole does', () => {
  const part = { of: 'part', from: 150 }
  const requirement = { id: 'ENV-1', area: '', says: '', notes: [], sameAs: [] } as const
  const holds = (levels: Parameters<typeof holdsAt>[0]['levels'], name?: string): boolean[] =>
    [99, 100, 149, 150, 200, 201].map((level) => holdsAt({ ...requirement, levels }, level, name))
  assert.deepEqual(holds([{ from: 100, until: 200 }, part]), [false, true, true, true, true, false])
  assert.deepEqual(holds([{ from: 100, until: 200 }, part], 'part'), [false, false, false, true, true, false])
  assert.ok([...holds([]), ...holds([part])].every(Boolean))
  assert.throws(() => holds([part], 'prat'), /ENV-1 has no part prat/)
})
