import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5'
import { parse, renderTokens } from './parser.ts'
import { renderPlain } from './plain.ts'
import { mentionCandidates, renderDescription, renderMessage } from './render.ts'

/** Element → its attributes → what their values look like. Nothing else may ever be in rendered HTML. */
const ALLOWED: Record<string, Record<string, RegExp>> = {
  ...Object.fromEntries(
    [
      'p',
      'br',
      'hr',
      'strong',
      'em',
      'del',
      'code',
      'pre',
      'blockquote',
      'ul',
      'li',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
    ].map((name) => [name, {}]),
  ),
  ol: { start: /^\d{1,9}$/ },
  div: { class: /^codehilite$/, 'data-code-language': /^[^\s]+$/ },
  span: {
    class: /^(?:user-mention(?: silent| channel-wildcard-mention)?|topic-mention)$/,
    'data-user-id': /^(?:\d+|\*)$/,
  },
  a: { href: /^(?:https?:[^\s"<>\\]*|mailto:[^\s"<>\\]*|\/[^\s"<>\\]*|#[^\s"<>\\]*)$/i, title: /^/ },
}

/** Throws when `html` has anything outside the list, or is not what a browser makes of it again. */
function assertSafe(html: string): void {
  const fragment = parseFragment(html)
  const walk = (node: DefaultTreeAdapterTypes.ChildNode): void => {
    if (node.nodeName === '#text') return
    assert.ok('tagName' in node, `${node.nodeName} in ${html}`)
    const attributes = ALLOWED[node.tagName]
    assert.ok(attributes, `element ${node.tagName} in ${html}`)
    for (const { name, value } of node.attrs) {
      assert.match(value, attributes[name] ?? /^(?!)/, `attribute ${name} of ${node.tagName} in ${html}`)
    }
    node.childNodes.forEach(walk)
  }
  fragment.childNodes.forEach(walk)
  const undone = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&nbsp;', '\u00a0')
  assert.equal(undone(serialize(fragment)), undone(html), 'elements are closed where they were opened')
}

const users = new Map([
  ['Iago', { id: 5, fullName: 'Iago' }],
  ['x', { id: 6, fullName: '"><img src=x onerror=alert(1)>' }],
])
const directory = {
  userOfMention: (name?: string, id?: number) =>
    users.get(name ?? '') ?? [...users.values()].find((user) => user.id === id),
}

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '</p><script>alert(1)</script>',
  '<!-- --><style>*{}</style>',
  '<a href="javascript:alert(1)">a</a>',
  '<iframe srcdoc="<script>1</script>">',
  '<math><mi xlink:href="javascript:alert(1)">',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a]( javascript:alert(1))',
  '[a](<javascript:alert(1)>)',
  '[a](<java script:alert(1)>)',
  '[a](javascript&colon;alert(1))',
  '[a](javascript&#58;alert(1))',
  '[a](&#x6A;avascript:alert(1))',
  '[a](&Tab;javascript:alert(1))',
  '[a](java&NewLine;script:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '[a](&#1;javascript:alert(1))',
  '[a](\u00a0javascript:alert(1))',
  '[a](java%0ascript:alert(1))',
  '[a](javascript\\:alert(1))',
  '[a](vbscript:msgbox(1))',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '[a](data:image/svg+xml,<svg/onload=1>)',
  '[a](file:///etc/passwd)',
  '[a](blob:http://x.y/1)',
  '[a](view-source:javascript:1)',
  '[a](//x.y" onclick="alert(1))',
  '[a](http://x.y" onmouseover="alert(1))',
  '[a](http://x.y/%22%20onclick=alert(1))',
  '[a](http://x.y "t\\" onclick=\\"alert(1)")',
  '[a](http://x.y \'t" onclick="alert(1)\')',
  '[a](http://x.y/&quot;onclick=alert(1))',
  '[<script>](http://x.y)',
  '[](javascript:alert(1))',
  '[a](\\\\x.y\\b)',
  '![a](javascript:alert(1))',
  '![a"onerror="alert(1)](http://x.y)',
  '<javascript:alert(1)>',
  '<http://x.y/"onclick="alert(1)>',
  'http://x.y/"onclick="alert(1)',
  "http://x.y/'onclick='alert(1)",
  'http://x.y/<script>alert(1)</script>',
  'javascript://x.y/%0aalert(1)',
  'http://javascript:alert(1)@x.y/',
  '[a]: javascript:alert(1)\n\n[a]',
  '```"><script>alert(1)</script>\nx\n```',
  '```js" onclick="alert(1)\nx\n```',
  '```\n</code></pre><script>1</script>\n```',
  '`</code><script>alert(1)</script>`',
  '@**x**',
  '@_**x** > @**|6**',
  '@**Iago|5" onclick="1**',
  '@**<script>**',
  '[@**x**](javascript:alert(1))',
  '[[a](javascript:1)](http://x.y)',
  '[a](http://x.y)](javascript:1)',
  '[http://x.y](javascript:alert(1))',
  '1<a>. x\n2. <script>',
  '| a |\n|:-:" onclick="1|\n| b |',
  '***<b onclick=1>***',
  '\ud800<script>\udfff',
]

test('make nothing of attempts to inject', () => {
  assert.ok(ATTACKS.length >= 40)
  for (const attack of ATTACKS) {
    for (const content of [attack, `a ${attack}`, `> - ${attack}`, `**${attack}**`, `[${attack}](http://x.y)`]) {
      assertSafe(renderMessage(content, directory).html)
      assertSafe(renderDescription(content))
    }
  }
})

const PIECES = [
  ...[
    '\n',
    '\n\n',
    '    ',
    '\t',
    ' ',
    '*',
    '**',
    '***',
    '_',
    '~~',
    '~~~',
    '`',
    '``',
    '```',
    '> ',
    '>',
    '- ',
    '+ ',
    '1. ',
    '2) ',
  ],
  ...['# ', '---', '[', ']', '](', ')', '(', '<', '>', '"', "'", '&amp;', '&', '\\', '|', '|-|', '!', '!['],
  ...[
    '@**Iago**',
    '@**x**',
    '@_**|5**',
    '@**Iago|5**',
    '@** Iago **',
    '@**all**',
    '@**topic**',
    '@**',
    '@_**',
    '@',
    '|5',
    'Iago',
  ],
  ...[
    'http://',
    'https://x.y',
    '://',
    ':',
    'javascript:',
    'mailto:',
    'a',
    'ß',
    '😀',
    '\u00a0',
    '\0',
    '\r',
    '\ud83d',
    '</p>',
    '<script>',
  ],
  ...ATTACKS,
]
const anyMarkdown = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

test('render any text to safe HTML', () => {
  fc.assert(
    fc.property(anyMarkdown, (content) => {
      assertSafe(renderMessage(content, directory).html)
      assertSafe(renderDescription(content))
    }),
    { numRuns: 1500 },
  )
})

test('ask for nothing that mentionCandidates does not name', () => {
  fc.assert(
    fc.property(anyMarkdown, (content) => {
      const { names, ids } = mentionCandidates(content)
      const userOfMention = (name?: string, id?: number) => {
        assert.ok(id === undefined ? names.includes(name as string) : ids.includes(id), `${name} ${id}`)
        return directory.userOfMention(name, id)
      }
      renderMessage(content, { userOfMention })
    }),
    { numRuns: 1000 },
  )
})

test('render plain text as the parser would', () => {
  const anyPlainish = fc
    .array(
      fc.constantFrom(
        ...[
          'a',
          'B c',
          ' ',
          '\n',
          '\n\n',
          '.',
          '<',
          '&',
          '"',
          '-',
          '1',
          '1. ',
          '|',
          ':',
          '=',
          '!',
          '\\',
          'é',
          '😀',
          '\u00a0',
          '\u2028',
          ';',
          '@',
          '/me ',
        ],
      ),
      {
        maxLength: 12,
      },
    )
    .map((pieces) => pieces.join(''))
  let plainCount = 0
  fc.assert(
    fc.property(anyPlainish, (content) => {
      const plain = renderPlain(content)
      if (plain === undefined) return
      plainCount++
      const tokens = parse(content, directory)
      assert.equal(plain.html, renderTokens(tokens))
      assert.equal(plain.isOneParagraph, tokens.length === 3)
    }),
    { numRuns: 3000 },
  )
  assert.ok(plainCount > 300, `only ${plainCount} texts were plain`)
})

test('render 10,000 characters of anything in under two seconds', () => {
  const patterns = [
    ...[
      '[',
      ']',
      '*',
      '**',
      '***',
      '* a',
      '`',
      '>',
      '> ',
      '@**',
      '@**a',
      '@_**a|',
      '~~',
      '~',
      '~~a',
      '- ',
      '-\n',
      '1. ',
      '#',
    ],
    ...[
      '[a](',
      '[a](<',
      '[](x)',
      '![',
      '[[]',
      '(',
      ':',
      'http://',
      '://',
      'a://',
      'http://x ',
      'http://x.y/(',
      '](',
      '[a](b "',
    ],
    ...[
      '>\n',
      '> >\n',
      '- - ',
      '    ',
      '\t',
      '\n',
      '<',
      '&',
      '\\',
      '|',
      '|-',
      '`a``b',
      '*a **b',
      'a**b',
      '```\n',
      '~~~\n',
      '_ ',
    ],
    ...['a\n>', '> a\n', '- a\n', '*a_', '[a]*', '@**Iago**', '[@**Iago**', '[`', '*[', '>- '],
  ]
  for (const pattern of patterns) {
    const content = pattern.repeat(Math.ceil(10_000 / pattern.length))
    for (const text of [content, `${content}\nx`, `${content})`, `x ${content}`]) {
      const start = performance.now()
      renderMessage(text, directory)
      mentionCandidates(text)
      const ms = performance.now() - start
      assert.ok(ms < 2000, `${JSON.stringify(pattern)}: ${Math.round(ms)} ms`)
    }
  }
  let widths = ''
  for (let width = 1; widths.length < 10_000; width++) widths += `${'`'.repeat(width)} `
  const start = performance.now()
  renderMessage(widths, directory)
  assert.ok(performance.now() - start < 2000)
})
