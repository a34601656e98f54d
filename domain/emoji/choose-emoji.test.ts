import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadRequestError } from '../errors.ts'
import { chooseEmoji, type EmojiChoice } from './choose-emoji.ts'
import type { CustomEmoji } from './custom-emoji.ts'
import type { Emoji } from './emoji.ts'

const custom: CustomEmoji[] = [
  { id: 3, name: 'octopus', fileName: '3.png', authorId: null, isDeactivated: false, isAnimated: false },
  { id: 4, name: 'tada', fileName: '4.png', authorId: null, isDeactivated: true, isAnimated: false },
  { id: 5, name: 'zulip', fileName: '5.png', authorId: null, isDeactivated: true, isAnimated: false },
]

function refusal(choice: EmojiChoice, present: readonly Emoji[] = []): string {
  try {
    return `accepted: ${JSON.stringify(chooseEmoji(choice, custom, present))}`
  } catch (err) {
    assert.ok(err instanceof BadRequestError)
    return err.message
  }
}

test('resolve a name first as custom, then as extra, then as Unicode (REACT-3, REACT-6, REACT-10)', () => {
  assert.deepEqual(chooseEmoji({ name: 'octopus' }, custom), { type: 'realm_emoji', code: '3', name: 'octopus' })
  assert.deepEqual(chooseEmoji({ name: 'octopus' }, []), { type: 'unicode_emoji', code: '1f419', name: 'octopus' })
  assert.deepEqual(chooseEmoji({ name: 'zulip' }, custom), {
    type: 'service_extra_emoji',
    code: 'zulip',
    name: 'zulip',
  })
  // A deactivated custom emoji does not hide it.
  assert.deepEqual(chooseEmoji({ name: 'tada' }, custom), { type: 'unicode_emoji', code: '1f389', name: 'tada' })
  assert.equal(refusal({ name: 'no_such' }), "Emoji 'no_such' does not exist")
})

test('keep the given name if it has the code, canonical or not', () => {
  const choice = { name: 'party_popper', code: '1f389', type: 'unicode_emoji' }
  assert.deepEqual(chooseEmoji(choice, custom), { type: 'unicode_emoji', code: '1f389', name: 'party_popper' })
})

test('join an existing reaction by its code alone, whatever emoji its name has now (REACT-4, REACT-5)', () => {
  const octopus: Emoji = { type: 'unicode_emoji', code: '1f419', name: 'octopus' }
  const sunny: Emoji = { type: 'unicode_emoji', code: '3', name: 'sunny' }
  for (const name of ['kraken', 'tada', 'zulip', 'octopus']) {
    assert.deepEqual(chooseEmoji({ name, code: '1f419' }, custom, [octopus]), octopus, name)
  }
  assert.equal(refusal({ name: 'kraken', code: '1f419' }), "Emoji 'kraken' does not exist")
  // The client means the custom emoji 3, although there is an emoji of another kind with that code.
  const own = { type: 'realm_emoji', code: '3', name: 'octopus' }
  assert.deepEqual(chooseEmoji({ name: 'octopus', code: '3' }, custom, [sunny]), own)
  assert.deepEqual(chooseEmoji({ name: 'kraken', code: '3' }, custom, [sunny]), sunny)
})

test('use the canonical name of a code if no emoji has the given name', () => {
  const choice = { name: 'kraken', code: '1f419', type: 'unicode_emoji' }
  assert.deepEqual(chooseEmoji(choice, custom), { type: 'unicode_emoji', code: '1f419', name: 'octopus' })
})

test('refuse names, codes and types that do not match (REACT-5, REACT-8, REACT-12)', () => {
  const unicode = { name: 'octopus', type: 'unicode_emoji' }
  assert.equal(refusal({ ...unicode, code: 'zzz' }), 'Invalid emoji code.')
  assert.equal(refusal({ ...unicode, code: '' }), 'Invalid emoji code.')
  assert.equal(refusal({ ...unicode, code: '1F419' }), 'Invalid emoji code.')
  assert.equal(refusal({ ...unicode, code: '1f389' }), 'Invalid emoji name.')
  assert.equal(refusal({ name: 'octopus', type: 'gif' }), 'Invalid emoji type.')
  const extra = { type: 'service_extra_emoji' }
  assert.equal(refusal({ ...extra, name: 'octopus', code: 'octopus' }), 'Invalid emoji code.')
  assert.equal(refusal({ ...extra, name: 'octopus', code: 'zulip' }), 'Invalid emoji name.')
  const own = { type: 'realm_emoji' }
  assert.equal(refusal({ ...own, name: 'octopus', code: '99' }), 'Invalid custom emoji.')
  assert.equal(refusal({ ...own, name: 'tada', code: '3' }), 'Invalid custom emoji name.')
  assert.equal(refusal({ ...own, name: 'tada', code: '4' }), 'This custom emoji has been deactivated.')
})

test('join an existing reaction under its name (REACT-4)', () => {
  const old: Emoji = { type: 'unicode_emoji', code: '1f419', name: 'old_octopus' }
  const gone: Emoji = { type: 'realm_emoji', code: '4', name: 'tada' }
  const present = [old, gone]
  assert.deepEqual(chooseEmoji({ name: 'octopus', code: '1f419', type: 'unicode_emoji' }, custom, present), old)
  assert.deepEqual(chooseEmoji({ name: 'old_octopus', code: '1f419' }, custom, present), old)
  assert.deepEqual(chooseEmoji({ name: 'octopus' }, [], present), old)
  assert.deepEqual(chooseEmoji({ name: 'tada', code: '4', type: 'realm_emoji' }, custom, present), gone)
  assert.equal(refusal({ name: 'old_octopus', code: '1f389' }, present), "Emoji 'old_octopus' does not exist")
})
