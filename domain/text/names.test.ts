import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { renderMessage } from '../markdown/render.ts'
import { normalizeTopicInput } from '../topics/topics.ts'
import { checkUserGroupName } from '../user-groups/user-group-names.ts'
import { requiredName } from './given-text.ts'
import { checkChannelName, checkFullName, MAX_CHANNEL_NAME_LENGTH, MAX_FULL_NAME_LENGTH } from './names.ts'

const refused = (message: string) => ({ ok: false, message })

test('accept full names of 2 to 100 characters, trimmed', () => {
  for (const name of ['Al', "Cordelia, Lear's daughter", '李 白', 'a|b', '😀'.repeat(MAX_FULL_NAME_LENGTH)]) {
    assert.deepEqual(checkFullName(`  ${name} `), { ok: true, value: name })
  }
})

test('refuse full names by length', () => {
  assert.deepEqual(checkFullName('a'.repeat(MAX_FULL_NAME_LENGTH + 1)), refused('Name too long!'))
  for (const name of ['', ' a ', '😀']) assert.deepEqual(checkFullName(name), refused('Name too short!'))
})

test('refuse full names that break a mention', () => {
  for (const character of ['\u200b', '\u202e', '\u200d']) assert.ok(checkFullName(`a${character}b`).ok)
  for (const character of ['*', '`', '\\', '>', '"', '@', '\0', '\n', '\x7f', '\u2028', '\ud800']) {
    assert.deepEqual(checkFullName(`a${character}b`), refused('Invalid characters in name!'))
  }
  assert.deepEqual(checkFullName('Iago|5'), refused('Invalid format!'))
})

test('mention every name that is accepted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 2, maxLength: 110 }), (raw) => {
      const result = checkFullName(raw)
      if (!result.ok || ['all', 'everyone', 'channel', 'stream', 'topic'].includes(result.value)) return
      const userOfMention = (name?: string) => (name === result.value ? { id: 5, fullName: result.value } : undefined)
      for (const mention of [`@**${result.value}**`, `a @**${result.value}**!`]) {
        assert.deepEqual(renderMessage(mention, { userOfMention }).mentionedUserIds, new Set([5]), JSON.stringify(raw))
      }
    }),
    { numRuns: 500 },
  )
})

test('mention the longest name with an id', () => {
  const fullName = '😀'.repeat(MAX_FULL_NAME_LENGTH)
  const { mentionedUserIds } = renderMessage(`@**${fullName}|5**`, { userOfMention: () => ({ id: 5, fullName }) })
  assert.deepEqual(mentionedUserIds, new Set([5]))
})

test('accept channel names up to the limit, trimmed', () => {
  const longest = '😀'.repeat(MAX_CHANNEL_NAME_LENGTH)
  for (const name of ['a', 'design > review', longest]) {
    assert.deepEqual(checkChannelName(` ${name}\n`), { ok: true, value: name })
  }
  assert.equal(checkChannelName(`${longest}a`).ok, false)
})

test('refuse blank channel names and control characters', () => {
  for (const name of ['', '  ', 'a\0b', 'a\nb', 'a\ud800']) assert.equal(checkChannelName(name).ok, false, name)
})

test('refuse in every name what no name may have, noncharacters of Unicode among them (R3, DIFF-NAME-LINES)', () => {
  for (const character of '\0 \u2028 \ud800 ﷐ ﷯ ￾ ￿ 🿾 􏿿'.split(' ')) {
    const name = `a${character}b`
    assert.deepEqual(checkChannelName(name), refused('Invalid character in channel name, at position 2.'))
    assert.deepEqual(checkUserGroupName(name), refused('Invalid character in user group name, at position 2.'))
    assert.deepEqual(checkFullName(name), refused('Invalid characters in name!'))
    assert.throws(() => requiredName('title', name, 60), { message: 'Invalid character in title, at position 2.' })
    // Half of a surrogate pair becomes a replacement character there. U+2028: DIFF-SEPARATORS
    if (character.isWellFormed())
      assert.deepEqual(normalizeTopicInput(name), refused('Invalid character in topic, at position 2!'))
  }
  for (const character of ['\ufdcf', '\ufdf0', '\ufffd', '\u{1fffd}']) {
    assert.ok(checkUserGroupName(`a${character}b`).ok)
  }
})
