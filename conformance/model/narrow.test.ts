import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fits, type Term } from './narrow.ts'
import { termsOf } from './terms.ts'
import type { ModelMessage, World } from './world.ts'

const [me, robin, kim] = [1, 2, 3]
const [open, closed] = [7, 8]

function message(id: number, senderId: number, place: ModelMessage['place']): ModelMessage {
  return { id, senderId, place, content: `Message ${id}.`, has: new Set(), flags: new Set(), mentions: [] }
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
    message(10, robin, { channelId: open, name: 'Boats' }),
    message(11, kim, { channelId: closed, name: '✔ boats' }),
    message(12, robin, { people: [me, robin] }),
    message(13, me, { people: [me, robin, kim] }),
  ],
  followed: [{ channelId: open, name: 'boats' }],
  muted: [{ channelId: closed, name: '✔ Boats' }],
}

function selected(...terms: Term[]): number[] {
  return world.messages.filter((one) => fits(world, one, terms)).map(({ id }) => id)
}

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
