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
const levels = {
  type: 'object',
  properties: {
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
    parts: { type: 'object', additionalProperties: levels, minProperties: 1 },
  },
  required: ['says'],
  additionalProperties: false,
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

  test('are complete, without duplicates', () => {
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

  test('have the notes that they cite, and each note is cited', () => {
    const cited = new Set([...all.values()].flatMap((one) => one.notes))
    assert.deepEqual([...cited].toSorted(), [...notes.keys()].toSorted())
    assert.equal(notes.size, 42)
  })

  test('equal only requirements with checks of their own', () => {
    for (const { id, sameAs, untestable } of all.values()) {
      for (const other of sameAs) assert.deepEqual(all.get(other)?.sameAs, [], `${id}: see ${other}`)
      // The reason belongs to the requirement that it is the same as.
      assert.ok(sameAs.length === 0 || untestable === undefined, id)
    }
  })

  test('have levels in one form, which end after they begin', () => {
    for (const { id, says, parts } of all.values()) {
      assert.doesNotMatch(says.replace(/[( ]from level \d+[,)]/, ''), /level \d/, id)
      for (const { from = 0, until = Infinity } of Object.values(parts)) assert.ok(from <= until, id)
    }
  })
})

test('a part applies from its first to its last level, where its requirement does', () => {
  const requirement = {
    id: 'ENV-1',
    area: '',
    says: '',
    notes: [],
    sameAs: [],
    from: 100,
    isTextOfParley: false,
  } as const
  const parts = { early: { from: 50, until: 150 }, late: { from: 150 } }
  const holds = (name?: string): boolean[] =>
    [99, 100, 149, 150, 151].map((level) => holdsAt({ ...requirement, parts }, level, name))
  assert.deepEqual(holds(), [false, true, true, true, true])
  assert.deepEqual(holds('early'), [false, true, true, true, false])
  assert.deepEqual(holds('late'), [false, false, false, true, true])
  assert.throws(() => holds('prat'), /ENV-1 has no part prat/)
})
