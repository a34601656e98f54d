import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookupCandidates, renderDescription, renderMessage } from './render.ts'
import { directory } from './testing.ts'

const render = (content: string) => renderMessage(content, directory)

function rendersAs(examples: Record<string, string>): void {
  for (const [content, html] of Object.entries(examples))
    assert.equal(render(content).html, html, JSON.stringify(content))
}

test('render paragraphs and line breaks', () => {
  rendersAs({
    '': '',
    hello: '<p>hello</p>',
    'a\nb': '<p>a<br>\nb</p>',
    'a\n\nb\nc': '<p>a</p>\n<p>b<br>\nc</p>',
    'a  \r\n  b': '<p>a<br>\nb</p>',
  })
})

test('escape HTML and leave other characters alone', () => {
  rendersAs({
    '<b>x</b> & "y"': '<p>&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot;</p>',
    '&amp; &#60;': '<p>&amp;amp; &amp;#60;</p>',
    '_a_ __b__ \\_': '<p>_a_ __b__ \\_</p>',
    '[a]: http://x.y "t"\n[a]': '<p>[a]: <a href="http://x.y">http://x.y</a> &quot;t&quot;<br>\n[a]</p>',
    'a\n===': '<p>a<br>\n===</p>',
    'a\n>\nb': '<p>a</p>\n<p>&gt;</p>\n<p>b</p>',
    '>\n>': '<p>&gt;<br>\n&gt;</p>',
  })
})

test('render emphasis, strong first, and deletion', () => {
  rendersAs({
    '**b** *i* ~~s~~': '<p><strong>b</strong> <em>i</em> <del>s</del></p>',
    '***bi***': '<p><strong><em>bi</em></strong></p>',
    '***a* b** **c *d***': '<p><strong><em>a</em> b</strong> <strong>c <em>d</em></strong></p>',
    '*a **b***': '<p><em>a <strong>b</strong></em></p>',
    '***a** b*': '<p><em><strong>a</strong> b</em></p>',
    '***@_** @_ **a|***': '<p><em><strong>@_</strong> @_ <strong>a|</strong></em></p>',
    '**标题：**内容 x**(y)** *"a"*b ~~c.~~d':
      '<p><strong>标题：</strong>内容 x<strong>(y)</strong> <em>&quot;a&quot;</em>b <del>c.</del>d</p>',
    '** a** **b ** 2 * 3 * 4': '<p>** a** **b ** 2 * 3 * 4</p>',
  })
})

test('render code spans with their inner spaces', () => {
  rendersAs({
    '` a  b `': '<p><code> a  b </code></p>',
    '``a`b`` `c': '<p><code>a`b</code> `c</p>',
    '`**a** <i>`': '<p><code>**a** &lt;i&gt;</code></p>',
    '`a\nb`': '<p><code>a b</code></p>',
  })
})

test('render links, completing and refusing addresses', () => {
  rendersAs({
    '[t](http://x.y/?a=1&b=2 "u")': '<p><a href="http://x.y/?a=1&amp;b=2" title="u">t</a></p>',
    '[](http://x.y) []()': '<p><a href="http://x.y">http://x.y</a> []()</p>',
    '[a](x.y) [b](c@d.e)': '<p><a href="http://x.y">a</a> <a href="mailto:c@d.e">b</a></p>',
    '[a](/user_uploads/1/a.txt) [b](#narrow/dm/5)':
      '<p><a href="/user_uploads/1/a.txt">a</a> <a href="#narrow/dm/5">b</a></p>',
    '[a](javascript:x) [b](data:text/html,x)': '<p>[a](javascript:x) [b](data:text/html,x)</p>',
    '![a](http://x.y/b.png)': '<p>!<a href="http://x.y/b.png">a</a></p>',
  })
})

test('link bare URLs without the punctuation after them', () => {
  rendersAs({
    'https://x.y/a_b_(c), d': '<p><a href="https://x.y/a_b_(c)">https://x.y/a_b_(c)</a>, d</p>',
    '(see HTTP://x.y/)': '<p>(see <a href="HTTP://x.y/">HTTP://x.y/</a>)</p>',
    '**http://x.y**': '<p><strong><a href="http://x.y">http://x.y</a></strong></p>',
    '<http://x.y>': '<p>&lt;<a href="http://x.y">http://x.y</a>&gt;</p>',
    '[http://a.b](http://c.d)': '<p><a href="http://c.d">http://a.b</a></p>',
    'https://佐々木.jp/二〇二四年/Ａ。':
      '<p><a href="https://xn--u6jy55gilq.jp/%E4%BA%8C%E3%80%87%E4%BA%8C%E5%9B%9B%E5%B9%B4/%EF%BC%A1">https://佐々木.jp/二〇二四年/Ａ</a>。</p>',
    '“https://x.y/a” «https://x.y/b»… https://x.y/c؟':
      '<p>“<a href="https://x.y/a">https://x.y/a</a>” «<a href="https://x.y/b">https://x.y/b</a>»… <a href="https://x.y/c">https://x.y/c</a>؟</p>',
    'https://MÜNCHEN.de/Ü': '<p><a href="https://xn--mnchen-3ya.de/%C3%9C">https://MÜNCHEN.de/Ü</a></p>',
    'http://é.y/ü，z': '<p><a href="http://xn--9ca.y/%C3%BC">http://é.y/ü</a>，z</p>',
    'xhttp://x.y http:// http://. ftp://x.y': '<p>xhttp://x.y http:// http://. ftp://x.y</p>',
  })
})

test('link hosts without scheme and mail addresses, and make links to this server relative', () => {
  const link = (href: string, text: string) => `<a href="${href}">${text}</a>`
  const longest = `${'label.'.repeat(41)}example`.slice(0, 249).concat('.com')
  rendersAs({
    'see example.com, (www.example.org/a?b=(c)).': `<p>see ${link('http://example.com', 'example.com')}, (${link('http://www.example.org/a?b=(c)', 'www.example.org/a?b=(c)')}).</p>`,
    'x.example.com:8080/a **example.de**': `<p>${link('http://x.example.com:8080/a', 'x.example.com:8080/a')} <strong>${link('http://example.de', 'example.de')}</strong></p>`,
    'Почта.рф हिन्दी.com ada@MÜNCHEN.de': `<p>${link('http://xn--80a1acny.xn--p1ai', 'Почта.рф')} ${link('http://xn--j2bd4cyah0f.com', 'हिन्दी.com')} ${link('mailto:ada@xn--mnchen-3ya.de', 'ada@MÜNCHEN.de')}</p>`,
    'a.b+c@example.com.': `<p>${link('mailto:a.b+c@example.com', 'a.b+c@example.com')}.</p>`,
    '[example.com](http://x.y) `example.com`': `<p>${link('http://x.y', 'example.com')} <code>example.com</code></p>`,
    'e.g. main.py README.md end.Then 1.5 x.notatld a..com -a.com @a.com /a.com':
      '<p>e.g. main.py README.md end.Then 1.5 x.notatld a..com -a.com @a.com /a.com</p>',
    'https://chat.example.com/#narrow/dm/5 [a](https://chat.example.com/user_uploads/1/a)': `<p>${link('/#narrow/dm/5', 'https://chat.example.com/#narrow/dm/5')} ${link('/user_uploads/1/a', 'a')}</p>`,
    [`${longest} x${longest}`]: `<p>${link(`http://${longest}`, longest)} x${longest}</p>`,
    'https://chat.example.com//evil.com/a [a](https://chat.example.com//evil.com)': `<p>${link('https://chat.example.com//evil.com/a', 'https://chat.example.com//evil.com/a')} ${link('https://chat.example.com//evil.com', 'a')}</p>`,
    'https://chat.example.com.evil.com/a': `<p>${link('https://chat.example.com.evil.com/a', 'https://chat.example.com.evil.com/a')}</p>`,
  })
})

test('render lists, quotes, headings and rules', () => {
  rendersAs({
    'a\n- b\n- c\n  * d': '<p>a</p>\n<ul>\n<li>b</li>\n<li>c\n<ul>\n<li>d</li>\n</ul>\n</li>\n</ul>',
    '1. a\n2. b': '<ol>\n<li>a</li>\n<li>b</li>\n</ol>',
    '3. a\n\n4. b': '<ol start="3">\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>',
    '> a\n> b': '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>',
    '>\n> b': '<blockquote>\n<p>b</p>\n</blockquote>',
    '## a\n####### b': '<h2>a</h2>\n<p>####### b</p>',
    'a\n---': '<p>a</p>\n<hr>',
  })
})

test('mention users by name, id and both', () => {
  const span = '<span class="user-mention" data-user-id="5">@Iago</span>'
  for (const content of ['@**iago**', '@**Iago|5**', '@**|5**']) {
    const rendered = render(content)
    assert.equal(rendered.html, `<p>${span}</p>`)
    assert.deepEqual(rendered.mentionedUserIds, new Set([5]))
  }
  rendersAs({
    '@**O & <Co>**': '<p>@<strong>O &amp; &lt;Co&gt;</strong></p>',
    '@**|7**': '<p><span class="user-mention" data-user-id="7">@O &amp; &lt;Co&gt;</span></p>',
    '@**Iago|7** @**Nobody**': '<p>@<strong>Iago|7</strong> @<strong>Nobody</strong></p>',
    '("@**Iago**/@**Iago**': `<p>(&quot;${span}/${span}</p>`,
    'x@**Iago**': '<p>x@<strong>Iago</strong></p>',
  })
})

test('silent and quoted mentions show a name, and mention nobody', () => {
  const span = '<span class="user-mention silent" data-user-id="5">Iago</span>'
  for (const [content, html] of [
    ['@_**Iago**', `<p>${span}</p>`],
    ['> - @**Iago**', `<blockquote>\n<ul>\n<li>${span}</li>\n</ul>\n</blockquote>`],
  ] as const) {
    const rendered = render(content)
    assert.equal(rendered.html, html)
    assert.equal(rendered.mentionedUserIds.size, 0)
  }
  assert.deepEqual(render('> @**Iago**\n\n@**Iago**').mentionedUserIds, new Set([5]))
})

test('mention nobody in code', () => {
  for (const content of ['`@**Iago** @**all**`', '```\n@**Iago** @**all** http://x.y\n```']) {
    const { mentionedUserIds, channelWildcard, hasLink } = render(content)
    assert.deepEqual(
      { mentions: mentionedUserIds.size, channelWildcard, hasLink },
      { mentions: 0, channelWildcard: false, hasLink: false },
    )
  }
})

test('distinguish wildcard mentions of channel and topic', () => {
  for (const name of ['all', 'everyone', 'channel', 'stream']) {
    const { html, channelWildcard, topicWildcard } = render(`@**${name}**`)
    assert.equal(html, `<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span></p>`)
    assert.deepEqual({ channelWildcard, topicWildcard }, { channelWildcard: true, topicWildcard: false })
  }
  const { html, channelWildcard, topicWildcard } = render('@**topic**')
  assert.equal(html, '<p><span class="topic-mention">@topic</span></p>')
  assert.deepEqual({ channelWildcard, topicWildcard }, { channelWildcard: false, topicWildcard: true })
})

test('leave silent and quoted wildcards as text', () => {
  for (const content of ['@_**all** @_**topic**', '> @**all** @**topic**']) {
    const { html, channelWildcard, topicWildcard } = render(content)
    assert.ok(html.includes('<strong>all</strong>') && html.includes('<strong>topic</strong>'), html)
    assert.deepEqual({ channelWildcard, topicWildcard }, { channelWildcard: false, topicWildcard: false })
  }
})

test('mention groups, also silently', () => {
  const { html, mentionedGroupIds, mentionedUserIds } = render('@*crew* @_*role:administrators* (@*nobody*) a@*crew*')
  assert.equal(
    html,
    '<p><span class="user-group-mention" data-user-group-id="20">@crew</span> ' +
      '<span class="user-group-mention silent" data-user-group-id="3">Administrators</span> ' +
      '(@<em>nobody</em>) a@<em>crew</em></p>',
  )
  assert.deepEqual([mentionedGroupIds, mentionedUserIds.size], [new Set([20]), 0])
  for (const silent of ['@_*crew*', '> @*crew*', '```quote\n@*crew*\n```']) {
    assert.match(render(silent).html, /<span class="user-group-mention silent" data-user-group-id="20">crew<\/span>/)
    assert.equal(render(silent).mentionedGroupIds.size, 0, silent)
  }
})

test('list the uploads that links lead to', () => {
  const { attachmentPathIds } = render(
    '[a](/user_uploads/2/a%20b.txt) [b](user_uploads/2/c.PNG?x#y) https://chat.example.com/user_uploads/2/d ' +
      '[again](/user_uploads/2/c.PNG) `[e](/user_uploads/2/e)`',
  )
  assert.deepEqual(attachmentPathIds, ['2/a b.txt', '2/c.PNG', '2/d'])
  for (const other of ['https://x.y/user_uploads/2/a', '/user_uploads/temporary/a', '//x.y/user_uploads/2/a']) {
    assert.deepEqual(render(`[a](${other})`).attachmentPathIds, [], other)
  }
})

test('recognize links of both kinds', () => {
  assert.equal(render('a http://x.y').hasLink, true)
  assert.equal(render('- > [a](http://x.y)').hasLink, true)
  assert.equal(render('[a](javascript:b) [c]() http://').hasLink, false)
})

test('recognize a /me message of one paragraph', () => {
  for (const content of ['/me waves', '/me **waves**', '/me a\nb', '/me *a*\nb'])
    assert.equal(render(content).isMeMessage, true)
  for (const content of ['/meow', ' /me waves', '/me a\n\nb', '/me *a*\n\nb', '/me a\n- b', 'a /me b']) {
    assert.equal(render(content).isMeMessage, false, content)
  }
})

test('collect each lookup of mentions once', () => {
  const { names, ids, groupNames } = lookupCandidates(
    '@**A** @_**B|3** @**|4** @**A** > `@**C**` @**all** @**topic** @*d* @_*e f* @*d* @**e',
  )
  assert.deepEqual({ names, ids, groupNames }, { names: ['A', 'C'], ids: [3, 4], groupNames: ['d', 'e f'] })
  const { channelNames, topics } = lookupCandidates(
    '#**a** #**a>b** `#**a>b**` #**a> b** #**c>d@5** #**c>** #**c>general chat** #**e>f\\|g**',
  )
  assert.ok(lookupCandidates('x#**a>b #**c**').channelNames.includes('c'), 'x# begins no link')
  assert.ok(lookupCandidates('x@*a@*b*').groupNames.includes('b'))
  const parts = channelNames.filter((name) => !name.includes('>'))
  assert.deepEqual(parts, ['a', 'c', 'e'])
  assert.deepEqual(channelNames.length, 3 + 7, 'each body with a > may be a name as a whole')
  const named = topics.map(({ channelName, topic }) => `${channelName}>${topic}`)
  assert.deepEqual(named, ['a>b', 'c>', 'e>f\\|g', 'e>f|g'])
})

test('mention nobody in descriptions', () => {
  assert.equal(renderDescription('**a** @**all**'), '<p><strong>a</strong> @<strong>all</strong></p>')
  assert.equal(renderDescription('plain'), '<p>plain</p>')
  assert.equal(renderDescription(''), '')
})
