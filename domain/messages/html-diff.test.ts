import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { renderMessage } from '../markdown/render.ts'
import { assertSafe, directory, rendererOf } from '../markdown/testing.ts'
import { textsIn } from '../text/texts-testing.ts'
import { type DiffBudget, htmlDiff } from './html-diff.ts'

const enough = (): DiffBudget => ({ pairs: 1_000_000, characters: 1_000_000 })
const added = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
const gone = (text: string) => `<span class="highlight_text_deleted">${text}</span>`

test('mark added and removed words', () => {
  const cases: [string, string, string][] = [
    ['<p>Hello!</p>', '<p>Howdy!</p>', `<p>${added('Howdy!')} ${gone('Hello!')}</p>`],
    ['<p>same</p>', '<p>same</p>', '<p>same</p>'],
    ['<p>one two three</p>', '<p>one three</p>', `<p>one ${gone('two')} three</p>`],
    ['<p>one three</p>', '<p>one two three</p>', `<p>one ${added('two')} three</p>`],
    ['<p>a b</p>', '<p>a <strong>b</strong></p>', `<p>a <strong>b</strong></p>`],
    ['<p>a &lt;b&gt;</p>', '<p>a &amp;</p>', `<p>a ${added('&amp;')} ${gone('&lt;b&gt;')}</p>`],
    ['<p>a</p>\n<p>b</p>', '<p>a</p>', `<p>a</p> ${gone('b')} `],
    ['', '<p>a</p>', `<p>${added('a')}</p>`],
    ['<p>a</p>', '', ` ${gone('a')} `],
  ]
  for (const [before, after, expected] of cases) {
    const found = htmlDiff(before, after, enough())
    assert.equal(found.replaceAll(/ +/g, ' ').replaceAll('> <', '><'), expected.replaceAll('> <', '><'), before)
  }
})

test('text removed from a list or a table is shown where text may be', () => {
  const list = (...items: string[]) => `<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>`
  assert.doesNotMatch(htmlDiff(list('a', 'b', 'c'), list('a', 'c'), enough()), /<(?:ul|\/li)>\s*<span/)
  assert.match(htmlDiff(list('a', 'b', 'c'), list('a', 'c'), enough()), /highlight_text_deleted">b</)
})

test('a formula changes as a whole', () => {
  const formula = (name: string) =>
    `<p><span class="katex"><math><mi>${name}</mi></math><span class="base"><span>${name}</span></span></span> end</p>`
  const [, old] = /<p>(.*) end/.exec(formula('x')) ?? []
  const [, now] = /<p>(.*) end/.exec(formula('y')) ?? []
  assert.equal(htmlDiff(formula('x'), formula('y'), enough()), `<p>${added(now ?? '')} ${gone(old ?? '')} end</p>`)
})

test('without a budget everything between the first and the last difference is marked', () => {
  const budget = { pairs: 3, characters: 1000 }
  assert.equal(htmlDiff('<p>a b c d</p>', '<p>a x c y d</p>', budget), `<p>a ${added('x c y')} ${gone('b c')} d</p>`)
  assert.equal(budget.pairs, 3)
  assert.equal(htmlDiff('<p>a</p>', '<p>b</p>', { pairs: 9, characters: 15 }), '<p>b</p>', 'nor read')
  const words = (word: string) => `<p>${`${word} `.repeat(500)}</p>`
  const spent = enough()
  let marked = 0
  for (let time = 0; time < 1000; time++) if (htmlDiff(words('a'), words('b'), spent) !== words('b')) marked++
  assert.ok(spent.pairs >= 0)
  assert.equal(marked, Math.floor(1_000_000 / (2 * words('a').length)))
})

const renderPiece = await rendererOf('js')
const pieces = textsIn('a b␣c **d** ⏎⏎ -␣e⏎ >␣f⏎ `g` |␣h␣|␣i␣|⏎|-|-|⏎|␣j␣|␣k␣|⏎ $$l$$ <b> &')
const anyMarkdown = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(' '))
const render = (content: string) => renderMessage(content, { ...directory, renderPiece }).html

test('is safe, and without its marks equals the new version', () => {
  fc.assert(
    fc.property(anyMarkdown, anyMarkdown, fc.constantFrom(0, 1_000_000), (before, after, pairs) => {
      const [old, now] = [render(before), render(after)]
      const diff = htmlDiff(old, now, { pairs, characters: 100_000 })
      assertSafe(diff.replaceAll(/highlight_text_(?:inserted|deleted)/g, 'k'))
      // Formulas contain spans too, so the pattern works only on HTML without formulas.
      if (before.includes('$$') || after.includes('$$')) return
      const unmarked = diff
        .replaceAll(/<span class="highlight_text_deleted">[^<]*<\/span>/g, '')
        .replaceAll(/<span class="highlight_text_inserted">([^<]*)<\/span>/g, '$1')
      assert.equal(unmarked.replaceAll(/\s/g, ''), now.replaceAll(/\s/g, ''))
    }),
  )
})
