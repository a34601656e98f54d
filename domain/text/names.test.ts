import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { BadRequestError } from '../errors.ts'
import { renderMessage } from '../markdown/render.ts'
import { normalizeTopicInput } from '../topics/topics.ts'
import { checkUserGroupName } from '../user-groups/user-group-names.ts'
import { requiredName } from './given-text.ts'
import { checkChannelName, checkFullName, MAX_CHANNEL_NAME_LENGTH, MAX_FULL_NAME_LENGTH } from './names.ts'
import { unlessRefused } from './texts-testing.ts'

test('accept full names of 2 to 100 characters, trimmed', () => {
  for (const name of ['Al', "Cordelia, Lear's daughter", '李 白', 'a|b', '😀'.repeat(MAX_FULL_NAME_LENGTH)]) {
    assert.equal(checkFullName(`  ${name} `), name)
  }
})

test('refuse full names by length', () => {
  assert.throws(() => checkFullName('a'.repeat(MAX_FULL_NAME_LENGTH + 1)), { message: 'Name too long!' })
  for (const name of ['', ' a ', '😀']) assert.throws(() => checkFullName(name), { message: 'Name too short!' })
})

test('refuse full names that break a mention', () => {
  for (const character of ['\u200b', '\u202e', '\u200d']) checkFullName(`a${character}b`)
  for (const character of ['*', '`', '\\', '>', '"', '@', '\0', '\n', '\x7f', '\u2028', '\ud800']) {
    assert.throws(() => checkFullName(`a${character}b`), { message: 'Invalid characters in name!' })
  }
  assert.throws(() => checkFullName('Iago|5'), { message: 'Invalid format!' })
})

test('mention every accepted name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 2, maxLength: 110 }), (raw) => {
      const fullName = unlessRefused(checkFullName, raw)
      if (fullName === undefined || ['all', 'everyone', 'channel', 'stream', 'topic'].includes(fullName)) return
      const userOfMention = (name?: string) => (name === fullName ? { id: 5, fullName } : undefined)
      for (const mention of [`@**${fullName}**`, `a @**${fullName}**!`]) {
        assert.deepEqual(renderMessage(mention, { userOfMention }).mentionedUserIds, new Set([5]), JSON.stringify(raw))
      }
    }),
    { numRuns: 500 },
  )
})

test('mention the longest name with an ID', () => {
  const fullName = '😀'.repeat(MAX_FULL_NAME_LENGTH)
  const { mentionedUserIds } = renderMessage(`@**${fullName}|5**`, { userOfMention: () => ({ id: 5, fullName }) })
  assert.deepEqual(mentionedUserIds, new Set([5]))
})

test('accept channel names up to the limit, trimmed', () => {
  const longest = '😀'.repeat(MAX_CHANNEL_NAME_LENGTH)
  for (const name of ['a', 'design > review', longest]) {
    assert.equal(checkChannelName(` ${name}\n`), name)
  }
  assert.throws(() => checkChannelName(`${longest}a`), BadRequestError)
})

test('refuse blank channel names and control characters', () => {
  for (const name of ['', '  ', 'a\0b', 'a\nb', 'a\ud800'])
    assert.throws(() => checkChannelName(name), BadRequestError, name)
})

test('refuse in every name what names may not have, such as noncharacters of Unicode (R3, DIFF-NAME-LINES)', () => {
  for (const character of '\0 \u2028 \ud800 ﷐ ﷯ ￾ ￿ 🿾 􏿿'.split(' ')) {
    const name = `a${character}b`
    assert.throws(() => checkChannelName(name), { message: 'Invalid character in channel name, at position 2.' })
    assert.throws(() => checkUserGroupName(name), { message: 'Invalid character in user group name, at position 2.' })
    assert.throws(() => checkFullName(name), { message: 'Invalid characters in name!' })
    assert.throws(() => requiredName('title', name, 60), { message: 'Invalid character in title, at position 2.' })
    // Half of a surrogate pair becomes a replacement character there.
    if (character.isWellFormed())
      assert.throws(() => normalizeTopicInput(name), { message: 'Invalid character in topic, at position 2!' })
  }
  for (const character of ['\ufdcf', '\ufdf0', '\ufffd', '\u{1fffd}']) {
    checkUserGroupName(`a${character}b`)
  }
})
