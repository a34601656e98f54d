import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from '../text/texts-testing.ts'
import { isInteractive } from './client-names.ts'

test('distinguish programs for people from others', () => {
  for (const name of textsIn('website ZulipMobile ZulipFlutter ZulipElectron ZulipTerminal zulip␣desktop␣app')) {
    assert.equal(isInteractive(name), true, name)
  }
  for (const name of ['ZulipPython', 'ZulipJS', 'curl', 'Mozilla', 'Unspecified', 'toString', 'websites']) {
    assert.equal(isInteractive(name), false, name)
  }
})
