import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fragmentProblems, release } from './changelog.ts'

/** A project with these fragments (name to text) and a changelog with one version in it. */
function projectWith(t: TestContext, fragments: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'parley-changelog-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'changes'))
  writeFileSync(join(root, 'changes/README.md'), 'How to write one.\n')
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changes\n\n<!-- next version -->\n\n## 0.1.0 (2030-01-01)\n')
  for (const [name, text] of Object.entries(fragments)) writeFileSync(join(root, 'changes', name), text)
  return root
}

test('move all fragments into a new section above the older ones', (t) => {
  const root = projectWith(t, {
    'b-fix.fixed.md': 'Cost $& more.\n',
    'b-news.added.md': 'Second.\nGoes on.\n',
    'a-news.added.md': 'First.\n',
  })
  release(root, '0.2.0', '2030-02-03')
  assert.equal(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    `# Changes

<!-- next version -->

## 0.2.0 (2030-02-03)

### Added

- First.
- Second.
  Goes on.

### Fixed

- Cost $& more.

## 0.1.0 (2030-01-01)
`,
  )
  assert.deepEqual(readdirSync(join(root, 'changes')), ['README.md'])
})

test('refuse a version that is there, and keep the fragments', (t) => {
  const root = projectWith(t, { 'news.added.md': 'First.\n' })
  assert.throws(() => release(root, '0.1.0', '2030-02-03'), /0\.1\.0 already/)
  assert.deepEqual(readdirSync(join(root, 'changes')), ['README.md', 'news.added.md'])
})

test('refuse to release nothing', (t) => {
  assert.throws(() => release(projectWith(t, {}), '0.2.0', '2030-02-03'), /no fragment/)
})

test('name fragments with a wrong name or no text', (t) => {
  const root = projectWith(t, {
    'Bad_Name.added.md': 'x',
    'other.removed.md': 'x',
    'empty.fixed.md': ' \n',
    'ok.fixed.md': 'x',
  })
  const problems = fragmentProblems(join(root, 'changes')).sort()
  assert.equal(problems.length, 3)
  assert.match(problems[0] ?? '', /Bad_Name/)
  assert.match(problems[1] ?? '', /empty\.fixed\.md: is empty/)
  assert.match(problems[2] ?? '', /other\.removed/)
})
