import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMessage } from '../markdown/render.ts'
import { notificationText } from './notification-text.ts'

const textOf = (content: string) => notificationText(renderMessage(content, { userOfMention: () => undefined }).html)

test('is readable text, without markup, and short', () => {
  assert.equal(textOf('**Hello** *you*\n\n* one\n* two'), 'Hello you\none\ntwo')
  assert.equal(textOf('Nice :tada: 👨‍👩‍👧'), 'Nice 🎉 👨‍👩‍👧')
  assert.equal(textOf('a < b && c'), 'a < b && c')
  const long = [...textOf('\u{1f600}x'.repeat(300))]
  assert.equal(long.length, 200)
  assert.equal(long.at(-1), '…')
})

test('does not reveal spoilers', () => {
  const text = textOf('Before.\n\n```spoiler The end\n> the butler\n\n* and the cook\n```\n\nAfter.')
  assert.equal(text, 'Before.\nThe end\n(…)\nAfter.')
})
