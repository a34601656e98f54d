import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPage } from './start-page.ts'

test('names are text, whatever is in them', () => {
  const page = startPage({ organization: '<script>alert(1)</script> & "co"', publicUrl: 'https://chat.example.com' })
  assert.ok(page.includes('<h1>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;co&quot;</h1>'))
  assert.ok(!page.includes('<script'))
})

test('nothing is loaded from elsewhere, and addresses of this server begin with its own', () => {
  const page = startPage({ organization: 'Chat', publicUrl: 'https://chat.example.com' })
  const targets = [...page.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, target]) => String(target))
  assert.ok(targets.length >= 6)
  const base = 'https://chat.example.com/'
  for (const target of targets) assert.ok(new URL(target, base).href.startsWith(base), target)
  assert.ok(page.includes('curl https://chat.example.com/api/v1/messages'))
})

test('commands fit every organization and address, and do not mention a demo', () => {
  const page = startPage({ organization: 'Chat', publicUrl: 'https://chat.example.com' })
  assert.doesNotMatch(page, /general|demo|-d username/)
  assert.match(page, /to=CHANNEL/)
})
