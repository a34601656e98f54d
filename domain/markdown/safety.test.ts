import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { textsIn } from '../text/texts-testing.ts'
import { PATTERNS } from './forms-testing.ts'
import { parse, renderTokens } from './parser.ts'
import { renderPlain } from './plain.ts'
import { lookupCandidates, renderDescription, renderMessage } from './render.ts'
import { assertSafe, directory, rendererOf } from './testing.ts'

/** Everything is loaded, so that rendering does not wait. */
const renderPiece = await rendererOf('python', 'html', 'js', 'diff')
const scope = { ...directory, renderPiece, translateEmoticons: true }

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
  '[a]() []()',
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
  '@*bad* @_*bad* @*crew" onclick="1*',
  '#**evil** #**evil>"><script>alert(1)</script>** #**evil>x" onclick="1@5**',
  "#**general chat>' onclick='alert(1)**",
  '#**general chat>javascript:alert(1)//\u2028**',
  '[#**evil**](javascript:alert(1)) [#**evil**](http://x.y)',
  ':"onclick=alert(1): :<script>: :parrot: :__proto__: :constructor:',
  '[:parrot:](javascript:alert(1))',
  '<time:2020-01-01"onclick="alert(1)> <time:2020-01-01 <script>> <time:2020-01-01 __proto__/x>',
  '$$\\href{javascript:alert(1)}{x}$$ $$\\url{javascript:alert(1)}$$',
  '$$\\htmlClass{x" onclick="1}{x}\\htmlStyle{background:url(1)}{x}\\htmlData{a=b}{x}\\htmlId{a}{x}$$',
  '$$\\includegraphics[height=1em]{http://x.y/z.png}$$',
  '$$\\text{<script>alert(1)</script>}$$ $$"><img src=x onerror=alert(1)>$$',
  '$$\\color{red;background:url(x)}x$$ $$\\textcolor{#f00" onclick="1}{x}$$ $$\\colorbox{red}{x}$$',
  '$$\\unicode{x3c}\\char"3c script\\char"3e$$ $$\\nope<script>$$',
  '$$\\rule{99999em}{99999em}\\kern99999em\\hspace{9999em}$$',
  '$$\\def\\a{\\a\\a}\\a$$ $$\\let\\frac\\href\\frac{javascript:1}{x}$$',
  '```math\n</annotation></semantics></math><script>alert(1)</script>\n```',
  '```math\n\\verb|<script>|\n\n\\tag{<b>}x\n```',
  '```spoiler <script>alert(1)</script> **b** [a](javascript:1)\n<img src=x onerror=1>\n```',
  '```quote\n```spoiler\n```quote\n<script>\n```\n```\n```',
  '```python"><script>\nx\n```',
  '```python\n"</code></pre><script>alert(1)</script>"\n```',
  "```html\n<script>alert('1')</script><style>*{}</style><!-- x -->\n```",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code is what is coloured
  '```js\n`${`</span><script>`}` // \'"<>&\n```',
  '```constructor\nx\n```\n```__proto__\nx\n```',
  '| <script> | a |\n|:-:|--:|\n| [a](javascript:1) | `</td><script>` |',
  'javascript:alert.com x.com"onclick="alert(1) http.com/<script> a.com?"> b@c.com"onclick=1',
  '[a](https://chat.example.com/" onclick="1) https://chat.example.com/javascript:alert(1)',
  'https://chat.example.com//evil.com [a](https://chat.example.com//evil.com)',
]

test('render injection attempts harmlessly', () => {
  assert.ok(ATTACKS.length >= 40)
  for (const attack of ATTACKS) {
    for (const content of [attack, `a ${attack}`, `> - ${attack}`, `**${attack}**`, `[${attack}](http://x.y)`]) {
      assertSafe(renderMessage(content, scope).html)
      assertSafe(renderDescription(content))
    }
  }
})

const PIECES = [
  ...PATTERNS,
  ...textsIn(
    '⏎⏎ ␣ _ ~~~ `` ``` +␣ 2)␣ --- ) &amp; |-| ! @**x** @_**|5** @**Iago|5** @**␣Iago␣** @**all** ' +
      '@**topic** @_** |5 Iago https://x.y javascript: mailto: a </p> <script> @_*role:administrators* ' +
      '@*bad* #**evil> @5** #**evil>a@5** <time:2020-01-01> $$x^2$$ \\frac{ \\text{ _ ^ :parrot: ❤\ufe0f ' +
      '```spoiler␣x⏎ ```python⏎ ```html⏎ ~~~␣{.js}⏎ ⏎```⏎ ⏎~~~⏎ |a|b|⏎|-|:-:|⏎ ⏎| ␣␣-␣ x.com a@b.de ' +
      '/user_uploads/1/a.png https://chat.example.com/ <3',
  ),
  ...ATTACKS,
]
const anyMarkdown = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 30, size: 'max' }).map((pieces) => pieces.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

test('render any text to safe HTML', () => {
  fc.assert(
    fc.property(anyMarkdown, (content) => {
      const { html } = renderMessage(content, scope)
      assertSafe(html)
      assert.equal(renderMessage(content, scope).html, html, 'the same once more')
      assertSafe(renderDescription(content))
    }),
    { numRuns: 1500 },
  )
})

test('look up nothing beyond lookupCandidates', () => {
  // No message has null bytes, which markdown-it replaces.
  const anyContent = anyMarkdown.map((content) => content.replaceAll('\0', ''))
  fc.assert(
    fc.property(anyContent, (content) => {
      const { names, ids, groupNames, channelNames, topics, emojiNames } = lookupCandidates(content)
      const asked = <Result>(isNamed: boolean, result: Result): Result => {
        assert.ok(isNamed, content)
        return result
      }
      renderMessage(content, {
        ...scope,
        translateEmoticons: false,
        userOfMention: (name, id) =>
          asked(
            id === undefined ? names.includes(name as string) : ids.includes(id),
            directory.userOfMention?.(name, id),
          ),
        groupOfMention: (name) => asked(groupNames.includes(name), directory.groupOfMention?.(name)),
        customEmoji: (name) => asked(emojiNames.includes(name), directory.customEmoji?.(name)),
        channelOfLink: (name) => asked(channelNames.includes(name), { id: 7, name }),
        latestMessageOf: (_id, topic) =>
          asked(
            topics.some((one) => one.topic === topic),
            5,
          ),
      })
    }),
    { numRuns: 1000 },
  )
})

test('render plain text as the parser would', () => {
  const anyPlainish = fc
    .array(
      fc.constantFrom(
        ...textsIn(
          'a B␣c ␣ ⏎ ⏎⏎ . < & " - 1 1.␣ | : = ! \\ é 😀 \u00a0 \u2028 ; @ /me␣ $$ x.com a@b.de :+1: :x: # ' +
            '1\ufe0f\u20e3 ❤\ufe0f ⏎|- <time:1600000000> 字 :)',
        ),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join(''))
  let plainCount = 0
  fc.assert(
    fc.property(anyPlainish, (content) => {
      const plain = renderPlain(content, scope)
      if (plain === undefined) return
      plainCount++
      const tokens = parse(content, scope)
      assert.equal(plain.html, renderTokens(tokens, scope))
      assert.equal(plain.isOneParagraph, tokens.length === 3)
    }),
    { numRuns: 3000 },
  )
  assert.ok(plainCount > 100, `only ${plainCount} texts were plain`)
})
