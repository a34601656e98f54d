import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderDescription, renderMessage } from './render.ts'
import { assertSafe, directory, rendererOf } from './testing.ts'

const renderPiece = await rendererOf('python')
const scope = { ...directory, renderPiece }

/** Our own inputs for each construct of CommonMark, well-formed and not. */
const CORPUS = [
  // Tabs and white space
  ...[
    '\tfoo\tbaz',
    '  \tfoo',
    '- foo\n\n\tbar',
    '>\t\tfoo',
    '-\t\tfoo',
    '#\tFoo',
    '*\t*\t*\t',
    ' - foo\n   - bar\n\t - baz',
    '\n\n\nfoo',
  ],
  // Precedence, rules
  ...[
    '- `one\n- two`',
    '***\n---\n___',
    '+++',
    '===',
    '--\n**',
    ' ***\n  ***\n   ***',
    '    ***',
    'foo\n    ***',
    '_ _ _ _ a',
    ' *-*',
  ],
  ...[
    '- foo\n***\n- bar',
    'foo\n***\nbar',
    'foo\n---\nbar',
    '* foo\n* * *\n* bar',
    '- foo\n- * * *',
    '-----------',
    '- - -',
    '**  * ** * **',
  ],
  // Headings
  ...[
    '# foo\n## foo\n###### foo',
    '####### foo',
    '#5 bolt\n\n#hashtag',
    '\\## foo',
    '# foo *bar* \\*baz\\*',
    '#                  foo     ',
  ],
  ...[
    '   # foo',
    '    # foo',
    'foo\n    # bar',
    '## foo ##',
    '# foo #####',
    '### foo ### b',
    '# foo#',
    '****\n## foo\n****',
    '## \n#\n### ###',
  ],
  ...[
    'Foo *bar*\n=========',
    'Foo\n---',
    'Foo\n   ----      ',
    '`Foo\n----\n`',
    '> Foo\n---',
    '- Foo\n---',
    '---\nFoo\n---',
  ],
  // Indented code
  ...[
    '    a simple\n      indented code block',
    '  - foo\n\n    bar',
    '1.  foo\n\n    - bar',
    '    <a/>\n    *hi*\n\n    - one',
  ],
  ...[
    '    chunk1\n\n    chunk2\n  \n \n \n    chunk3',
    'Foo\n    bar',
    '    foo\nbar',
    '        foo\n    bar',
    '    foo  ',
  ],
  // Fences
  ...[
    '```\n<\n >\n```',
    '~~~\n<\n >\n~~~',
    '``\nfoo\n``',
    '```\naaa\n~~~\n```',
    '````\naaa\n```\n``````',
    '~~~~\naaa\n~~~\n~~~~',
    '```',
  ],
  ...[
    '`````\n\n```\naaa',
    '> ```\n> aaa\n\nbbb',
    '```\n\n  \n```',
    ' ```\n aaa\naaa\n```',
    '    ```\n    aaa\n    ```',
    '```\naaa\n    ```',
  ],
  ...[
    '``` ```\naaa',
    '~~~~~~\naaa\n~~~ ~~',
    'foo\n```\nbar\n```\nbaz',
    '~~~~    ruby startline=3 $%@#$\ndef foo(x)\n~~~~~~~',
    '````;\n````',
  ],
  ...['``` aa ```\nfoo', '~~~ aa ``` ~~~\nfoo\n~~~', '```\n``` aaa\n```', '- ```\n  aaa\n- bbb', '1. ~~~\n   aaa'],
  // HTML, references and entities, which are text
  ...[
    '<table>\n<tr>\n<td>\nhi\n</td>\n</tr>\n</table>',
    '<div>\n*hello*\n<foo><a>',
    '</div>\n*foo*',
    '<!-- Foo\n\nbar -->',
    '<?php echo 1 ?>',
  ],
  ...[
    '<![CDATA[\nfoo\n]]>',
    '<a><bab><c2c>',
    '[foo]: /url "title"\n\n[foo]',
    '[foo][]',
    '[foo][bar]\n\n[bar]: x',
    '&nbsp; &amp; &copy; &#35; &#x22;',
  ],
  // Paragraphs and breaks
  ...[
    'aaa\n\nbbb',
    'aaa\nbbb\n\nccc\nddd',
    'aaa\n\n\nbbb',
    '  aaa\n bbb',
    'aaa     \nbbb     ',
    'foo\\\nbar',
    '*foo  \nbar*',
    '`code  \nspan`',
  ],
  // Quotes
  ...[
    '> # Foo\n> bar\n> baz',
    '># Foo\n>bar',
    '> bar\nbaz\n> foo',
    '> foo\n---',
    '> - foo\n- bar',
    '>     foo\n    bar',
    '> ```\nfoo\n```',
    '>\n>  \n> ',
  ],
  ...[
    '>\n> foo\n>  ',
    '> foo\n\n> bar',
    '> foo\n>\n> bar',
    'foo\n> bar',
    '> > > foo\nbar',
    '>>> foo\n> bar\n>>baz',
    '>     code\n\n>    not code',
    '> 1. > a\nb',
  ],
  // Lists
  ...[
    '- one\n\n two',
    '- one\n\n  two',
    ' -    one\n\n     two',
    '   > > 1.  one\n>>\n>>     two',
    '-one\n\n2.two',
    '- foo\n\n\n  bar',
    '123456789. ok',
  ],
  ...[
    '1234567890. not ok',
    '0. ok',
    '003. ok',
    '-1. not ok',
    '- foo\n-\n- bar',
    '1. foo\n2.\n3. bar',
    '*',
    'foo\n*\n\nfoo\n1.',
    '- foo\n  - bar\n    - baz',
  ],
  ...[
    '10) foo\n    - bar',
    '- - foo',
    '1. - 2. foo',
    '- # Foo\n- Bar\n  ---',
    '- foo\n- bar\n+ baz',
    '1. foo\n2. bar\n3) baz',
    'Foo\n14. bar',
    'Foo\n1. bar',
  ],
  ...[
    '- a\n - b\n  - c\n   - d\n  - e',
    '1. a\n\n  2. b\n\n    3. c',
    '* a\n*\n\n* c',
    '- a\n\n  - b\n\n  - c',
    '- a\n  > b\n  ```\n  c\n  ```\n- d',
    '+ a\n\n\n\n+ b',
  ],
  // Code spans
  ...[
    '`foo`',
    '`` foo ` bar ``',
    '` `` `',
    '`  ``  `',
    '` a`',
    '``\nfoo \n``',
    '`foo   bar \nbaz`',
    '`foo\\`bar`',
    '*foo`*`',
    '[not a `link](/foo`)',
  ],
  ...['`<a href="`">`', '```foo``', '`foo', '`foo``bar``', '`https://foo.bar.`baz'],
  // Emphasis
  ...[
    '*foo bar*',
    'a * foo bar*',
    'a*"foo"*',
    'foo*bar*',
    '5*6*78',
    '_foo bar_',
    'snake_case_name',
    '*foo bar *',
    '*(*foo',
    '*(*foo*)*',
    '**foo bar**',
  ],
  ...[
    '** foo bar**',
    '**foo bar **',
    '**(**foo)',
    '*(**foo**)*',
    '**Gomphocarpus (*Gomphocarpus physocarpus*, syn.)**',
    '**foo "*bar*" foo**',
    '****foo****',
  ],
  ...[
    '*foo [bar](/url)*',
    '*foo\nbar*',
    '*foo **bar** baz*',
    '*foo**bar**baz*',
    '***foo** bar*',
    '*foo **bar***',
    'foo***bar***baz',
    '** is not empty',
    '****',
  ],
  ...[
    'foo ***',
    'foo *\\**',
    '**foo*',
    '*foo**',
    '***foo**',
    '****foo*',
    '*foo****',
    '**foo*bar**',
    '*foo _bar* baz_',
    '**foo *bar baz**',
    '*[bar*](/url)',
    '~~a~~ ~b~ ~~~c~~~',
  ],
  // Links
  ...[
    '[link](/uri "title")',
    '[link](/uri)',
    '[](./target.md)',
    '[link]()',
    '[link](<>)',
    '[link](/my uri)',
    '[link](</my uri>)',
    '[link](foo\nbar)',
    '[a](<b)c>)',
  ],
  ...[
    '[link](\\(foo\\))',
    '[link](foo(and(bar)))',
    '[link](foo\\)\\:)',
    '[link](#fragment)',
    '[link](foo%20b&auml;)',
    '[link]("title")',
    "[link](/url 'title')",
  ],
  ...[
    '[link](/url "title &quot;")',
    '[link](   /uri\n  "title"  )',
    '[link] (/uri)',
    '[link [foo [bar]]](/uri)',
    '[link] bar](/uri)',
    '[link [bar](/uri)',
  ],
  ...[
    '[link *foo **bar** `#`*](/uri)',
    '[foo [bar](/uri)](/uri)',
    '*[foo*](/uri)',
    '[foo *bar](baz*)',
    '[foo`](/uri)`',
    '![foo](/url "title")',
    '![[[foo](a)](b)](c)',
  ],
  // Autolinks
  ...[
    '<http://foo.bar.baz>',
    '<MAILTO:FOO@BAR.BAZ>',
    '<made-up-scheme://foo>',
    '<foo\\+@bar.example.com>',
    '<>',
    '< http://foo.bar >',
    'http://example.com',
    'foo@bar.example.com',
  ],
]

test('render every construct to safe HTML that can be rendered again', () => {
  assert.ok(CORPUS.length >= 200, String(CORPUS.length))
  for (const content of CORPUS) {
    for (const form of [
      content,
      `> ${content.replaceAll('\n', '\n> ')}`,
      `- ${content.replaceAll('\n', '\n  ')}`,
      `\`\`\`quote\n${content}`,
    ]) {
      const { html } = renderMessage(form, scope)
      assertSafe(html)
      assert.equal(renderMessage(form, scope).html, html, form)
      assertSafe(renderDescription(form))
    }
  }
})
