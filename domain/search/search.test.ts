import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFragment } from 'parse5'
import { fc } from '../../conformance/seed-testing.ts'
import { renderMessage } from '../markdown/render.ts'
import { foldCase } from '../text/text-keys.ts'
import { textsIn } from '../text/texts-testing.ts'
import { highlightedHtml, highlightedText } from './highlight.ts'
import { FoldedTexts, matchesSearch, parseSearch, requiredTerms } from './query.ts'
import { indexedTerms, termOf, tokensOf } from './tokens.ts'
import { visibleText } from './visible-text.ts'

const finds = (operand: string, ...texts: string[]) => matchesSearch(parseSearch(operand), new FoldedTexts(texts))
const words = (text: string) => tokensOf(foldCase(text)).map((token) => token.text)
const marked = (operand: string, html: string) =>
  highlightedHtml(parseSearch(operand), html).replaceAll('<span class="highlight">', '[').replaceAll('</span>', ']')

/** Pieces of searchable texts. */
const PIECES = textsIn(
  'straße STRASSE İstanbul i\u0307stanbul ısı café cafe\u0301 Σίσυφος ΣΊΣΥΦΟΣ 日本語 日本 ภาษาไทย 한국어 \u1112\u1161\u11ab 🎉 ' +
    '👩\u200d💻 ❤\ufe0f ❤ мир МИР مرحبا foo-bar foo bar don\'t <b> &amp; & " a to ␣ ␣ ␣ ⏎ . ** _ ﬁx fix',
)
const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''))
const anyString = fc.oneof(
  anyText,
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

test('words of every alphabet', () => {
  assert.deepEqual(words('Hello, World_wide 2nd!'), ['hello', 'world', 'wide', '2nd'])
  assert.deepEqual(words('Straße İstanbul ΣΊΣΥΦΟΣ'), ['strasse', 'i\u0307stanbul', 'σίσυφοσ'])
  assert.deepEqual(words('日本 go🎉'), ['日', '本', 'go', '🎉'])
  assert.deepEqual(words('エラー404 ﾊﾞｰid 〆'), ['エ', 'ラ', 'ー', '404', 'ﾊ', 'ﾞ', 'ｰ', 'id', '〆'])
  assert.deepEqual(words('한국어 мир مرحبا'), ['한국어', 'мир', 'مرحبا'])
  assert.deepEqual(words('-> ... ❤️'), ['❤'])
})

test('ASCII text has the same words as beside other text', () => {
  const anyAscii = fc.string({ unit: 'binary-ascii', maxLength: 40 })
  fc.assert(
    fc.property(anyAscii, (text) => {
      assert.deepEqual([...words(text), 'é'], words(`${text} é`))
      assert.deepEqual(
        indexedTerms([text, 'é']).split(' ').filter(Boolean).sort(),
        indexedTerms([`${text} é`])
          .split(' ')
          .sort(),
      )
    }),
    { numRuns: 2000 },
  )
  for (let code = 0; code < 128; code += 1) {
    const text = `a${String.fromCharCode(code)}b`
    assert.deepEqual([...words(text), 'é'], words(`${text} é`), `character ${code}`)
  }
})

test('words are found in any case, by their beginning; short ones as a whole', () => {
  assert.ok(finds('STRASSE', 'Die Straße'))
  assert.ok(finds('straß', 'STRASSENBAHN'))
  assert.ok(finds('search', 'searching'))
  assert.ok(!finds('earch', 'search'))
  assert.ok(finds('to', 'go to'))
  assert.ok(!finds('to', 'tomorrow'))
  assert.ok(finds('한국', '한국어를 배워요'), 'two syllables are a word, and particles stand behind words')
  assert.ok(!finds('한', '한국어'))
  assert.ok(!finds('cafe', 'café'), 'accents matter')
  assert.ok(finds('CAFE\u0301', 'café'))
  assert.ok(!finds('istanbul', 'İstanbul'))
  assert.ok(finds('🎉', 'done 🎉!'))
  assert.ok(finds('one two', 'TWO three', 'one'), 'in any of the texts')
  assert.ok(!finds('one four', 'two', 'one'))
})

test('phrases, and words of several parts, are found as written', () => {
  assert.ok(finds('"Big Cat"', 'a BIG CAT'))
  assert.ok(!finds('"big cat"', 'cat big'))
  assert.ok(!finds('"big cat"', 'big', 'cat'))
  assert.ok(finds('日本', '私は日本人'))
  assert.ok(!finds('日本', '本日'))
  assert.ok(finds('エラー', 'エラー404が出た'))
  assert.ok(finds('\u200fשלום\u200e', 'שלום'), 'marks around a word are not a part of it')
  assert.deepEqual(parseSearch('foo \u200e "\u200b"'), parseSearch('foo'), 'and mean nothing alone')
  assert.ok(finds('foo-bar', 'x FOO-BAR y'))
  assert.ok(!finds('foo-bar', 'foo bar'))
  assert.ok(finds('"100% sure"', 'I am 100% sure'))
  assert.ok(!finds('"unclosed', 'unclosed'))
  assert.ok(finds('"unclosed', 'an "unclosed one'))
})

test('a phrase without characters is ignored', () => {
  for (const operand of ['""', 'one ""', '"" one', 'one""', '""one""']) {
    assert.ok(!parseSearch(operand).phrases.includes(''), operand)
  }
  assert.equal(highlightedText(parseSearch('one ""'), 'one'), '<span class="highlight">one</span>')
})

test('a search without a word finds nothing', () => {
  for (const operand of ['->', '"..."', ' ', '*']) assert.ok(!finds(operand, `a ${operand} b`), operand)
  assert.ok(finds('-> there', 'go -> there'))
})

test('the engines receive ASCII words that are neither short, long nor stop words', () => {
  fc.assert(
    fc.property(anyString, (text) => {
      for (const term of indexedTerms([text]).split(' ').filter(Boolean)) assert.match(term, /^zz[a-z0-9_]{1,78}$/)
    }),
  )
  assert.equal(termOf('the'), 'zzthe')
  assert.equal(termOf('é'), 'zz_e9_')
})

test('every match contains the terms that the engines receive', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, operand) => {
      const query = parseSearch(operand)
      if (!matchesSearch(query, new FoldedTexts([text]))) return
      const terms = indexedTerms([text]).split(' ')
      for (const { term, isBeginning } of requiredTerms(query)) {
        assert.ok(
          terms.some((one) => (isBeginning ? one.startsWith(term) : one === term)),
          `${operand} in ${text}: ${term}`,
        )
      }
    }),
    { numRuns: 2000 },
  )
})

test('every text finds itself', () => {
  fc.assert(
    fc.property(anyString, (text) => {
      const operand = text.replaceAll('"', '')
      if (words(operand).length === 0) return
      assert.ok(finds(operand, operand), 'as words')
      assert.ok(finds(`"${operand}"`, operand), 'as a phrase')
    }),
  )
})

test('mark words in the text and nowhere else', () => {
  assert.equal(
    marked('hello', '<p>Hello, <a href="hello>">hello</a> there</p>'),
    '<p>[Hello], <a href="hello>">[hello]</a> there</p>',
  )
  assert.equal(marked('amp', '<p>a &amp; b</p>'), '<p>a &amp; b</p>')
  assert.equal(marked('"a & b"', '<p>a &amp; b</p>'), '<p>[a &amp; b]</p>')
  assert.equal(marked('foobar', '<p><strong>foo</strong>bar</p>'), '<p><strong>[foo]</strong>[bar]</p>')
  assert.equal(marked('foobar', '<p>foo</p>\n<p>bar</p>'), '<p>foo</p>\n<p>bar</p>')
  assert.equal(marked('straße', '<p>STRASSENBAHN</p>'), '<p>[STRASSENBAHN]</p>')
  assert.equal(marked('日本', '<p>本日は日本人</p>'), '<p>本日は[日本]人</p>')
  assert.equal(marked('mi', '<p><math><mi>mi</mi></math> mi</p>'), '<p><math><mi>mi</mi></math> [mi]</p>')
  assert.equal(highlightedText(parseSearch('b'), 'a<b'), 'a&lt;<span class="highlight">b</span>')
})

test('visible text: entities are decoded, blocks separated, tags removed', () => {
  assert.equal(visibleText('<p>a &lt; b</p><ul><li>x</li></ul>').replaceAll(/\n+/g, '|'), '|a < b|x|')
  assert.equal(visibleText('<p><strong>fo</strong>o&#39;s</p>').trim(), "foo's")
})

interface Node {
  readonly nodeName: string
  readonly value?: string
  readonly attrs?: readonly { name: string; value: string }[]
  readonly childNodes?: readonly Node[]
}
/** The tree without marks, and the marked texts. */
function unmarked(node: Node, found: string[], isMarked = false): unknown[] {
  if (node.nodeName === '#text') {
    if (isMarked) found.push(node.value ?? '')
    return [node.value]
  }
  const isMark = node.nodeName === 'span' && node.attrs?.some((one) => one.value === 'highlight') === true
  const children = (node.childNodes ?? []).flatMap((child) => unmarked(child, found, isMarked || isMark))
  return isMark ? children : [`<${node.nodeName} ${JSON.stringify(node.attrs)}`, ...children, '>']
}
test('marking changes neither tree nor text, and marks only words of the query', () => {
  const content = fc
    .array(
      fc.constantFrom(...PIECES, '**', '`', '> ', '\n\n', '* ', '[x](https://e.example/foo)', '@**all**', '```\n'),
      {
        maxLength: 14,
      },
    )
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(content, anyText, (markdown, operand) => {
      const { html } = renderMessage(markdown, { userOfMention: () => undefined })
      const query = parseSearch(operand)
      const found: string[] = []
      const result = highlightedHtml(query, html)
      const tree = unmarked(parseFragment(result) as unknown as Node, found)
      assert.equal(tree.join(''), unmarked(parseFragment(html) as unknown as Node, []).join(''))
      assert.equal(visibleText(result), visibleText(html))
      if (query.words.length > 0 && matchesSearch(query, new FoldedTexts([visibleText(html)])))
        assert.ok(found.length > 0, result)
    }),
    { numRuns: 2000 },
  )
})

test('folding a text equals folding its parts, so that marks are where the words are', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const query = parseSearch(text.replaceAll('"', ''))
      if (query.words.length === 0) return
      const found: string[] = []
      unmarked(parseFragment(highlightedText(query, text)) as unknown as Node, found)
      if (matchesSearch(query, new FoldedTexts([text]))) assert.ok(found.length > 0)
      const folded = foldCase(found.join(' '))
      for (const phrase of query.phrases) {
        if (foldCase(text).includes(phrase)) assert.ok(folded.includes(phrase), JSON.stringify([text, found, phrase]))
      }
    }),
    { numRuns: 2000 },
  )
})
