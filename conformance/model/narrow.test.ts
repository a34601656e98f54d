import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fits, type Term } from './narrow.ts'
import { mayStandTogether, pairsOf, termsOf } from './terms.ts'
import type { Has, ModelFlag, ModelMessage, World } from './world.ts'

const [me, robin, kim] = [1, 2, 3]
const [open, closed] = [7, 8]

interface Told {
  readonly has?: readonly Has[]
  readonly flags?: readonly ModelFlag[]
  readonly mentions?: readonly number[]
}

function message(
  id: number,
  senderId: number,
  place: ModelMessage['place'],
  content: string,
  told: Told = {},
): ModelMessage {
  const { has = [], flags = [], mentions = [] } = told
  return { id, senderId, place, content, has: new Set(has), flags: new Set(flags), mentions }
}

const world: World = {
  readerId: me,
  people: [
    { id: me, email: 'me@example.com' },
    { id: robin, email: 'robin@example.com' },
    { id: kim, email: 'kim@example.com' },
  ],
  channels: [
    { id: open, name: 'Harbour', isPublic: true },
    { id: closed, name: 'vault', isPublic: false },
  ],
  messages: [
    message(10, robin, { channelId: open, name: 'Boats' }, 'Red sails.', { has: ['link'], flags: ['read'] }),
    message(11, kim, { channelId: open, name: 'BOATS' }, 'sails, red', { flags: ['starred', 'wildcard_mentioned'] }),
    message(12, robin, { channelId: closed, name: 'boats' }, 'Redder.', { flags: ['mentioned'], mentions: [me] }),
    message(13, kim, { channelId: open, name: '✔ anchors' }, 'Iron.', { flags: ['has_alert_word'], has: ['reaction'] }),
    message(14, robin, { people: [me, robin] }, 'Between us.'),
    message(15, me, { people: [me, robin, kim] }, 'Among us.'),
    message(16, me, { people: [me] }, 'A note.'),
  ],
  followed: [{ channelId: open, name: 'boats' }],
  muted: [{ channelId: open, name: '✔ Anchors' }],
}

function selected(...terms: Term[]): number[] {
  return world.messages.filter((one) => fits(world, one, terms)).map(({ id }) => id)
}

describe('one term selects', () => {
  const cases: readonly (readonly [operator: string, operand: Term['operand'], ids: readonly number[]])[] = [
    ['channel', open, [10, 11, 13]],
    ['stream', 'HARBOUR', [10, 11, 13]],
    ['channels', 'public', [10, 11, 13]],
    ['topic', 'boats', [10, 11, 12]],
    ['dm', [robin], [14]],
    ['dm', [me, robin], [14]],
    ['pm-with', 'kim@example.com,robin@example.com', [15]],
    ['dm', [me], [16]],
    ['dm-including', robin, [14, 15]],
    ['dm-including', 'ME@example.com', [14, 15, 16]],
    ['group-pm-with', robin, [15]],
    ['sender', 'kim@example.com', [11, 13]],
    ['sender', me, [15, 16]],
    ['mentions', me, [12]],
    ['is', 'private', [14, 15, 16]],
    ['is', 'starred', [11]],
    ['is', 'unread', [11, 12, 13, 14, 15, 16]],
    ['is', 'mentioned', [11, 12]],
    ['is', 'alerted', [13]],
    ['is', 'resolved', [13]],
    ['is', 'followed', [10, 11]],
    ['is', 'muted', [13]],
    ['has', 'link', [10]],
    ['has', 'reaction', [13]],
    ['id', '12', [12]],
    ['with', 10, [10, 11]],
    ['with', '15', [15]],
    ['near', '12', [10, 11, 12, 13, 14, 15, 16]],
    ['in', 'all', [10, 11, 12, 13, 14, 15, 16]],
    ['search', 'RED sails', [10, 11]],
    ['search', '"red sails"', [10]],
    ['search', 'anchors', [13]],
  ]
  for (const [operator, operand, ids] of cases) {
    test(`${operator}:${operand}`, () => {
      assert.deepEqual(selected({ operator, operand }), ids)
      const others = world.messages.map(({ id }) => id).filter((id) => !ids.includes(id))
      assert.deepEqual(selected({ operator, operand, negated: true }), others)
    })
  }
})

test('all terms hold', () => {
  const [inHarbour, byKim] = [
    { operator: 'channel', operand: open },
    { operator: 'sender', operand: kim },
  ]
  assert.deepEqual(selected(inHarbour, byKim), [11, 13])
  assert.deepEqual(selected(inHarbour, { ...byKim, negated: true }), [10])
  assert.deepEqual(selected(), [10, 11, 12, 13, 14, 15, 16])
})

test('what the model does not know is no silent mismatch', () => {
  assert.throws(() => selected({ operator: 'colour', operand: 'red' }), /colour/)
  assert.throws(() => selected({ operator: 'is', operand: 'red' }), /red/)
  assert.throws(() => selected({ operator: 'sender', operand: 'nobody@example.com' }), /nobody/)
})

test('servers are asked what their level understands', () => {
  const operators = (level: number): Set<string> => new Set(termsOf(world, { level }).map(({ operator }) => operator))
  const added = [...operators(482)].filter((one) => !operators(1).has(one))
  assert.deepEqual(added.toSorted(), ['channel', 'channels', 'dm', 'dm-including', 'mentions', 'with'])
  assert.ok(operators(1).has('streams') && !operators(250).has('streams'))
  const words = (level: number): unknown[] =>
    termsOf(world, { level }).flatMap(({ operator, operand }) => (['is', 'has'].includes(operator) ? [operand] : []))
  const later = words(482).filter((one) => !words(1).includes(one))
  assert.deepEqual(later.toSorted(), ['dm', 'followed', 'muted', 'reaction'])
  for (const term of termsOf(world, { level: 482 })) assert.ok(Array.isArray(selected(term)))
})

test('terms that servers refuse together are not put together', () => {
  const term = (operator: string, operand: Term['operand'], negated?: true): Term => ({
    ...{ operator, operand },
    ...(negated && { negated }),
  })
  assert.equal(mayStandTogether([term('channel', open), term('dm', [robin])]), false)
  assert.equal(mayStandTogether([term('channel', open), term('dm', [robin], true)]), true)
  assert.equal(mayStandTogether([term('is', 'resolved'), term('is', 'private')]), false)
  assert.equal(mayStandTogether([term('with', 10, true)]), false)
  assert.equal(mayStandTogether([term('with', 10), term('topic', 'boats')]), false)
  assert.equal(mayStandTogether([term('with', 10), term('has', 'link')]), true)
})

test('only what is all text, and not negated, has the older form', () => {
  const isStarred = { operator: 'is', operand: 'starred' }
  assert.deepEqual(pairsOf([isStarred]), [['is', 'starred']])
  assert.equal(pairsOf([{ ...isStarred, negated: true }]), undefined)
  assert.equal(pairsOf([isStarred, { operator: 'dm', operand: [robin] }]), undefined)
})
