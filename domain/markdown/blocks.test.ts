import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textsIn } from '../text/texts-testing.ts'
import { languageNamed } from './languages.ts'
import { rendered, rendersAs } from './testing.ts'

const block = (attribute: string, code: string) =>
  `<div class="codehilite"${attribute}><pre><span></span><code>${code}</code></pre></div>`
const iago = '<span class="user-mention silent" data-user-id="5">Iago</span>'

test('quote with fences of both kinds, which contain other blocks and end with the message', async () => {
  await rendersAs({
    '```quote\na\n\n- b\n```\nc': '<blockquote>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>\n<p>c</p>',
    '~~~ quote\n@**Iago**': `<blockquote>\n<p>${iago}</p>\n</blockquote>`,
    'a\n```Quote\nb\n```\nc\nd': '<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n<p>c<br>\nd</p>',
    '- ```quote\n  a\n  ```\n- b': '<ul>\n<li>\n<blockquote>\n<p>a</p>\n</blockquote>\n</li>\n<li>b</li>\n</ul>',
    '> ```quote\n> a\nb': '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>\n<p>b</p>',
  })
})

test('nest fences: equal lengths with an info string, otherwise longer outside', async () => {
  const inner = block('', 'x\n')
  await rendersAs({
    '```quote\n``` text\nx\n```\na\n```\nb': `<blockquote>\n${block(' data-code-language="Text only"', 'x\n')}\n<p>a</p>\n</blockquote>\n<p>b</p>`,
    '````quote\n```\nx\n```\n````\nb': `<blockquote>\n${inner}\n</blockquote>\n<p>b</p>`,
    '```quote\n~~~\nx\n~~~\n```\nb': `<blockquote>\n${inner}\n</blockquote>\n<p>b</p>`,
    '```quote\n```quote\na\n```\n```\nb':
      '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>\n<p>b</p>',
    '```\n```quote\n```\nb': `${block('', '```quote\n')}\n<p>b</p>`,
    '````\n```\n````': block('', '```\n'),
    '``\nx\n``': '<p><code> x </code></p>',
    '```a`b\nx': '<p>```a`b<br>\nx</p>',
    '~~~a~~~ b\nx': '<p>~<del>a</del>~ b<br>\nx</p>',
    '~~~quote\n~~~a~~~\n~~~': '<blockquote>\n<p>~<del>a</del>~</p>\n</blockquote>',
  })
})

test('hide spoilers behind a header, which may be empty', async () => {
  const spoiler = (header: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div><div class="spoiler-content" aria-hidden="true">\n${content}\n</div></div>`
  await rendersAs({
    '```spoiler **How** it ends\n> well\n```': spoiler(
      '<p><strong>How</strong> it ends</p>\n',
      '<blockquote>\n<p>well</p>\n</blockquote>',
    ),
    '~~~ spoiler\nx\n~~~\ny': `${spoiler('', '<p>x</p>')}\n<p>y</p>`,
    '```spoiler What `2+2` is\n4\n```': spoiler('<p>What <code>2+2</code> is</p>\n', '<p>4</p>'),
    '```spoiler `a`\n```spoiler ``b``\nx\n```\n```': spoiler(
      '<p><code>a</code></p>\n',
      spoiler('<p><code>b</code></p>\n', '<p>x</p>'),
    ),
    '~~~spoiler ~~a~~\nx\n~~~': spoiler('<p><del>a</del></p>\n', '<p>x</p>'),
    '```spoiler a``` is code': '<p><code>spoiler a</code> is code</p>',
    '```python `x`\ny': '<p>```python <code>x</code><br>\ny</p>',
    '```quote\n```spoiler @**Iago**\nx\n```\n```': `<blockquote>\n${spoiler(`<p>${iago}</p>\n`, '<p>x</p>')}\n</blockquote>`,
  })
  assert.deepEqual((await rendered('```spoiler @**Iago**\n@*crew*\n```')).mentionedUserIds, new Set([5]))
})

test('name the language of code, highlight known languages, keep unknown ones', async () => {
  const python = block(' data-code-language="Python"', '<span class="mi">1</span>\n')
  await rendersAs({
    '```python\n1\n```': python,
    '``` python\n1\n```': python,
    '~~~~.py \n1\n~~~~': python,
    '```{.Py3}\n1\n```': python,
    '``` {.python hl_lines="1"}\n1\n```': python,
    '```zig\nx<y\n```': block(' data-code-language="Zig"', 'x&lt;y\n'),
    '```my-own "1"\nx\n```': block(' data-code-language="my-own"', 'x\n'),
    '```text\n1\n```': block(' data-code-language="Text only"', '1\n'),
    '```\n1\n```': block('', '1\n'),
    '~~~~.py \n```\n~~~~': block(' data-code-language="Python"', '```\n'),
    '```{.JS}\nx': block(' data-code-language="JavaScript"', 'x\n'),
    '```"><b\n<a>\n```': block(' data-code-language="&quot;&gt;&lt;b"', '&lt;a&gt;\n'),
    '    x\n     y': block('', 'x\n y\n'),
  })
  await rendersAs(
    {
      '```\n1\n```': python,
      '```text\n1\n```': block(' data-code-language="Text only"', '1\n'),
      '    1': block('', '1\n'),
    },
    { defaultCodeLanguage: 'python' },
  )
})

test('highlight code with the class names of Pygments', async () => {
  const coloured = async (content: string) =>
    [...(await rendered(content)).html.matchAll(/<span class="(\w+)">([^<]*)<\/span>/g)].map(
      ([, name, text]) => `${name} ${text}`,
    )
  assert.deepEqual(
    await coloured('```py\n@x\ndef f(a): # c\n    return None or 0x1F + 1.5 + len("s")\n```'),
    textsIn('nd␣@x k␣def nf␣f c1␣#␣c k␣return kc␣None k␣or mh␣0x1F mf␣1.5 nb␣len s2␣&quot;s&quot;'),
  )
  assert.deepEqual(await coloured('```diff\n-a\n+b\n```'), ['gd -a', 'gi +b'])
  assert.deepEqual(await coloured('```c\n#include <x>\n/* c */ int x;\n```'), [
    ...['cp #include ', 's &lt;x&gt;', 'cm /* c */', 'kt int'],
  ])
  assert.deepEqual(await coloured('```html\n<b id="x">&amp;</b>\n```').then((found) => found.slice(0, 4)), [
    ...['p &lt;', 'nt b', 'na id', 'p ='],
  ])
})

test('highlighting loses no character of code, in every language', async () => {
  const code =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code is what is coloured
    'class A { "s\\n" \'c\' 1.5e3 } # x\n// y <b> & -- z\n/* w */ `t${u}` $v @w (x) => y; \tif é 😀\n<a href="b">c</a>\n'
  const undone = (html: string) =>
    html
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  let count = 0
  for (const name of (
    'bash c c++ c# css diff docker erb go haskell html ini java js json kotlin lua make md perl php pycon ' +
    'python r ruby rust scala console sql swift tex toml ts twig xml yaml elixir clojure powershell vim ' +
    'nix'
  ).split(' ')) {
    const { html } = await rendered(`\`\`\`${name}\n${code}\`\`\``)
    assert.equal(undone(html), code, name)
    assert.ok(languageNamed(name)?.grammar, name)
    if (/<code>.*<span class/s.test(html)) count++
  }
  assert.ok(count > 35, `only ${count} languages had colours`)
})

test('leave code unhighlighted if it would take too long', async () => {
  for (const code of ['1'.repeat(301), `1${' '.repeat(101)}1`, '1\n'.repeat(2501)]) {
    assert.ok(!(await rendered(`\`\`\`py\n${code}\n\`\`\``)).html.includes('<span class='), code.slice(0, 5))
  }
  const html = (await rendered('```py\n1\n```\n'.repeat(500))).html
  assert.ok(html.includes('<span class="mi">1</span>'))
})

test('render inline formulas and blocks', async () => {
  const { html } = await rendered('a $$x^2$$ b')
  assert.match(
    html,
    /^<p>a <span class="katex"><span class="katex-mathml"><math .*<msup>.*<annotation encoding="application\/x-tex">x\^2<\/annotation>.*<span class="katex-html" aria-hidden="true">.* b<\/p>$/,
  )
  const twice = (await rendered('```math\n\\frac{a}{b}\n\nx\n```')).html
  assert.match(
    twice,
    /^<p><span class="katex-display"><span class="katex">.*<mfrac>.*\n<span class="katex-display"><span class="katex">.*<\/p>$/,
  )
  await rendersAs({
    '$$\\nope{<b>}$$': '<p><span class="tex-error">$$\\nope{&lt;b&gt;}$$</span></p>',
    '~~~ math\n\\frac{\n~~~': '<p><span class="tex-error">\\frac{</span></p>',
    'a$$b$$ $$b$$c $$$b$$ $$a\nb$$ $$ $$ $5': '<p>a$$b$$ $$b$$c $$$b$$ $$a<br>\nb$$ $$ $$ $5</p>',
    '`$$x$$`': '<p><code>$$x$$</code></p>',
  })
})

test('refuse formulas that expand too much', async () => {
  const isError = async (content: string) => /<span class="tex-error">/.test((await rendered(content)).html)
  const long = `$$x${' '.repeat(998)}y$$ `
  assert.equal(await isError(long.repeat(5)), false)
  assert.equal(await isError(`${long.repeat(5)}$$x$$`), true)
  assert.equal(await isError(`$$${'\\sqrt{'.repeat(100)}x${'}'.repeat(100)}$$`), false)
})

test('render tables with their alignment, also directly after a paragraph', async () => {
  const [left, center, right] = ['left', 'center', 'right'].map((side) => ` style="text-align: ${side};"`)
  await rendersAs({
    'a\n|b|c|d|e|\n|:-|:-:|-:|-|\n|`f`|**g**|h\\|i|':
      `<p>a</p>\n<table>\n<thead>\n<tr>\n<th${left}>b</th>\n<th${center}>c</th>\n<th${right}>d</th>\n<th>e</th>\n</tr>\n</thead>\n` +
      `<tbody>\n<tr>\n<td${left}><code>f</code></td>\n<td${center}><strong>g</strong></td>\n<td${right}>h|i</td>\n<td></td>\n</tr>\n</tbody>\n</table>`,
    'a | b\nc': '<p>a | b<br>\nc</p>',
  })
  const { html } = await rendered(`${'|a'.repeat(400)}\n${'|-'.repeat(400)}\n${'b\n'.repeat(4000)}`)
  assert.ok(html.length < 400_000 && html.endsWith('b</p>'), 'rows that are filled up have a limit')
})

test('R4: a pipe inside code does not end a cell, wherever the table or code is', async () => {
  const cells = (...lines: string[][]) => {
    const rows = lines.map((row, line) => {
      const name = line === 0 ? 'th' : 'td'
      return `<tr>\n${row.map((cell) => `<${name}>${cell}</${name}>\n`).join('')}</tr>\n`
    })
    const [head, ...body] = rows
    return `<table>\n<thead>\n${head}</thead>\n<tbody>\n${body.join('')}</tbody>\n</table>`
  }
  const code = (text: string) => `<code>${text}</code>`
  await rendersAs({
    'a|b\n-|-\n`x|y`|1': cells(['a', 'b'], [code('x|y'), '1']),
    'a|b\n-|-\n``x`|y``|2': cells(['a', 'b'], [code('x`|y'), '2']),
    'a|b\n-|-\n| `||` | or |': cells(['a', 'b'], [code('||'), 'or']),
    'a|b\n-|-\n`a|b` `c|d`|e': cells(['a', 'b'], [`${code('a|b')} ${code('c|d')}`, 'e']),
    'a|b\n-|-\n`x|y``|z': cells(['a', 'b'], ['`x', 'y``']),
    'a|b\n-|-\n`x\\|y`|1': cells(['a', 'b'], [code('x|y'), '1']),
    '`p|q`|b\n-|-\nc|d': cells([code('p|q'), 'b'], ['c', 'd']),
    '> `p|q`|b\n> -|-\n> `c|d`|e': `<blockquote>\n${cells([code('p|q'), 'b'], [code('c|d'), 'e'])}\n</blockquote>`,
    '`a|b`\nc `d\n|e`': '<p><code>a|b</code><br>\nc <code>d |e</code></p>',
    '    `a|b`': '<div class="codehilite"><pre><span></span><code>`a|b`\n</code></pre></div>',
    '~~~ `a|b`\n`c|d`\n~~~':
      '<div class="codehilite" data-code-language="`a|b`"><pre><span></span><code>`c|d`\n</code></pre></div>',
  })
})

test('a table with only a header has no rows (DIFF-TABLE-HEAD)', async () => {
  await rendersAs({
    'a|b\n-|-': '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table>',
  })
})

test('join lists with different bullets, nest by two spaces, number with dots only', async () => {
  await rendersAs({
    'a\n* b\n- c\n+ d': '<p>a</p>\n<ul>\n<li>b</li>\n<li>c</li>\n<li>d</li>\n</ul>',
    '- a\n  - b\n    * c\n- d':
      '<ul>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
    '1. a\n  - b\n    - c\n  1. d\n2. e':
      '<ol>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n<ol>\n<li>d</li>\n</ol>\n</li>\n<li>e</li>\n</ol>',
    '5. a\n5. b': '<ol start="5">\n<li>a</li>\n<li>b</li>\n</ol>',
    'a\n2. b\n3. c': '<p>a</p>\n<ol start="2">\n<li>b</li>\n<li>c</li>\n</ol>',
    '- a\n  2. b': '<ul>\n<li>a\n<ol start="2">\n<li>b</li>\n</ol>\n</li>\n</ul>',
    '> a\n> 2. b': '<blockquote>\n<p>a</p>\n<ol start="2">\n<li>b</li>\n</ol>\n</blockquote>',
    'a\n2.\n10. b\n     2. c': '<p>a<br>\n2.<br>\n10. b<br>\n2. c</p>',
    '1) a': '<p>1) a</p>',
    '- a\n\n    b\n\nc': '<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>\n<p>c</p>',
  })
})

test('leave markers without text as text, except between items', async () => {
  await rendersAs({
    '+': '<p>+</p>',
    '-\n\n*': '<p>-</p>\n<p>*</p>',
    '42.': '<p>42.</p>',
    '> -': '<blockquote>\n<p>-</p>\n</blockquote>',
    '+\n+\nok': '<p>+<br>\n+<br>\nok</p>',
    '-\n- a': '<p>-</p>\n<ul>\n<li>a</li>\n</ul>',
    '- a\n-\n- b': '<ul>\n<li>a</li>\n<li></li>\n<li>b</li>\n</ul>',
  })
})

test('leave headings without text or space as text', async () => {
  await rendersAs({
    '# a #': '<h1>a</h1>',
    '#a': '<p>#a</p>',
    '#': '<p>#</p>',
    '##  ##': '<p>##  ##</p>',
    '###### a': '<h6>a</h6>',
  })
})

test('keep all text at every depth', async () => {
  for (const deep of [`${'> '.repeat(300)}word`, `${'- '.repeat(300)}word`, `${'```quote\n'.repeat(300)}word`]) {
    assert.match((await rendered(deep)).html, /word/)
  }
})
