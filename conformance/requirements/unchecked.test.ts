import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { allChecks } from '../checks/all.ts'
import { readContract } from '../wire/contract.ts'
import { coverageOf } from './coverage.ts'
import { type Requirement, readRequirements } from './requirements.ts'
import { parseUnchecked, readUnchecked, shrunk, uncheckedProblems, uncheckedText } from './unchecked.ts'

const areas = coverageOf(readRequirements(), allChecks(readContract()))

test('the list holds exactly the requirements that have no check', () => {
  assert.deepEqual(uncheckedProblems(readUnchecked(), areas), [])
})

test('the file is as the command writes it', () => {
  assert.equal(readFileSync(join(import.meta.dirname, 'unchecked.yaml'), 'utf8'), uncheckedText(readUnchecked()))
})

describe('a list', () => {
  const requirement = (id: string) => ({ id }) as Requirement
  const some = [
    {
      area: 'A',
      checked: [requirement('ENV-2')],
      unchecked: [requirement('ENV-1'), requirement('ENV-3')],
      untestable: [requirement('ENV-4')],
    },
  ]

  test('is right when it holds what has no check', () => {
    assert.deepEqual(uncheckedProblems(parseUnchecked('drafts: [ENV-1, ENV-3]'), some), [])
  })

  test('is refused with what has a check by now, what is missing, is there twice, or cannot be tested', () => {
    const listed = parseUnchecked('drafts: [ENV-1..2]\nothers: [ENV-1, ENV-4]')
    assert.deepEqual(
      uncheckedProblems(listed, some).map((problem) => problem.split(':')[0]),
      ['ENV-1 is there twice', 'ENV-2 has a check by now', 'ENV-4 is nothing that can be tested', 'ENV-3 has no check'],
    )
  })

  test('shrinks, and never grows', () => {
    const listed = parseUnchecked('drafts: [ENV-1..2]\nothers: [ENV-2]')
    assert.deepEqual([...shrunk(listed, some)], [['drafts', ['ENV-1']]])
  })

  test('is read as it was written', () => {
    const text = uncheckedText(parseUnchecked('drafts: [ENV-1..4 ENV-6, LEVEL-172a]\nothers: [EMPTY-9..11]'))
    assert.deepEqual(text.split('\n').slice(-8), [
      '',
      'drafts:',
      '  - ENV-1..4 ENV-6',
      '  - LEVEL-172a',
      '',
      'others:',
      '  - EMPTY-9..11',
      '',
    ])
    assert.equal(uncheckedText(parseUnchecked(text)), text)
  })

  test('refuse anything but a list', () => {
    assert.throws(() => parseUnchecked('drafts: ENV-1'), /'drafts' must have a list of ids/)
  })
})
