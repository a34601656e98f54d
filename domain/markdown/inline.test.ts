import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { checkChannelName } from '../text/names.ts'
import { textsIn } from '../text/texts-testing.ts'
import { isTopic } from '../topics/topics.ts'
import { channelCandidates, linkToChannel, linkToTopic } from './channel-links.ts'
import { renderDescription } from './render.ts'
import { rendered, rendersAs } from './testing.ts'

const emoji = (name: string, code: string) =>
  `<span aria-label="${name.replaceAll('_', ' ')}" class="emoji emoji-${code}" role="img" title="${name.replaceAll('_', ' ')}">:${name}:</span>`
const channel = '/#narrow/channel/7-General-chat'

test('R5: link to channels that have `>` in their name, unless the part before it is a channel', async () => {
  const channels = new Map(['R&D > ops', 'a>b', 'a', '>x'].map((name, id) => [name, { id, name }]))
  const more = { channelOfLink: (name: string) => channels.get(name) }
  const link = (id: number, url: string, text: string) =>
    `<p><a class="stream" data-stream-id="${id}" href="/#narrow/channel/${id}-${url}">${text}</a></p>`
  await rendersAs(
    {
      '#**R&D > ops**': link(0, 'R.26D-.3E-ops', '#R&amp;D &gt; ops'),
      '#**>x**': link(3, '.3Ex', '#&gt;x'),
      '#**a>b**': '<p><a class="stream-topic" data-stream-id="2" href="/#narrow/channel/2-a/topic/b">#a &gt; b</a></p>',
      '#**R&D > dev**': '<p>#<strong>R&amp;D &gt; dev</strong></p>',
    },
    { ...more, latestMessageOf: () => undefined },
  )
  assert.deepEqual(channelCandidates('#**R&D > ops** #**a**').channelNames, ['R&D ', 'R&D > ops', 'a'])
})

test('link channels by name without regard to case', async () => {
  const link = `<a class="stream" data-stream-id="7" href="${channel}">#General chat</a>`
  await rendersAs({
    '#**general CHAT**, (#**General chat**)': `<p>${link}, (${link})</p>`,
    '#**nowhere** a#**general chat** `#**general chat**`':
      '<p>#<strong>nowhere</strong> a#<strong>general chat</strong> <code>#**general chat**</code></p>',
    '[#**general chat**](http://x.y)': '<p><a href="http://x.y">#<strong>general chat</strong></a></p>',
    '#**evil**':
      '<p><a class="stream" data-stream-id="8" href="/#narrow/channel/8-.22.3E.3Cb.3E.2Ex-.C3.9F.2A">#&quot;&gt;&lt;b&gt;.x ß*</a></p>',
  })
  assert.equal((await rendered('#**general chat**')).hasLink, false)
})

test('link topics at their newest message', async () => {
  const link = (path: string, text: string) =>
    `<a class="stream-topic" data-stream-id="7" href="${channel}/topic/${path}">#General chat &gt; ${text}</a>`
  await rendersAs({
    '#**general chat>lunch 1.5%**': `<p>${link('lunch.201.2E5.25/with/907', 'lunch 1.5%')}</p>`,
    '#**general chat>new**': `<p>${link('new', 'new')}</p>`,
    '#**general chat>a>b & c**': `<p>${link('a.3Eb.20.26.20c/with/907', 'a&gt;b &amp; c')}</p>`,
    '#**general chat>** #**general chat>general chat**': `<p>${link('/with/907', '<em>general chat</em>')} ${link('/with/907', '<em>general chat</em>')}</p>`,
  })
})

/** Names made of markup. */
const PIECES = textsIn(
  '* ** # > @ @**all** | [ ] ( ) ` $$ x 日本 :tada: http://x.y x.com a@b.com <b> &amp; \\ ~~ _ ! @1 ␣ ' + '\u00a0 ^',
)
const anyName = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join('').trim())

test('links that the server writes are one link each, with any characters in the names', async () => {
  await fc.assert(
    fc.asyncProperty(anyName, anyName, async (name, topic) => {
      fc.pre(name !== '' && isTopic(topic) && topic !== '')
      const one = { id: 9, name: checkChannelName(name) }
      const channelOfLink = (wanted: string) => (wanted === name ? one : undefined)
      for (const [link, path] of [
        [linkToChannel(one), ''],
        [linkToTopic(one, topic), '/topic/'],
        [linkToTopic(one, topic, 5), '/near/5'],
      ] as const) {
        const { html } = await rendered(`Moved to ${link}.`, { channelOfLink })
        const [, href = '', rest] =
          /^<p>Moved to <a [^>]*href="([^"]*)">(?:(?!<a )[^\n])*<\/a>(.*)<\/p>$/.exec(html) ?? []
        assert.equal(rest, '.', html)
        assert.ok(href.startsWith('/#narrow/channel/9-') && href.includes(path), href)
        if (path === '/topic/') {
          assert.equal(decodeURIComponent((href.split('/')[5] ?? '').replaceAll('.', '%')), topic)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('link messages', async () => {
  const link = (path: string, text: string) =>
    `<a class="message-link" href="${channel}/topic/${path}">#General chat &gt; ${text} @ 💬</a>`
  await rendersAs({
    '#**general chat>lunch@123**': `<p>${link('lunch/near/123', 'lunch')}</p>`,
    '#**general chat>@123**': `<p>${link('/near/123', '<em>general chat</em>')}</p>`,
    '#**nowhere>lunch@123**': '<p>#<strong>nowhere&gt;lunch@123</strong></p>',
  })
})

test('show emoji by name and as characters', async () => {
  await rendersAs({
    ':tada: :+1: a:smile:b': `<p>${emoji('tada', '1f389')} ${emoji('+1', '1f44d')} a${emoji('smile', '1f642')}b</p>`,
    ':party_popper: :nope:tada:': `<p>${emoji('party_popper', '1f389')} :nope${emoji('tada', '1f389')}</p>`,
    '🎉 ❤️ 1️⃣ 🇩🇪': `<p>${emoji('tada', '1f389')} ${emoji('heart', '2764')} ${emoji('one', '0031-20e3')} ${emoji('germany', '1f1e9-1f1ea')}</p>`,
    '**🎉** [:tada:](http://x.y)': `<p><strong>${emoji('tada', '1f389')}</strong> <a href="http://x.y">${emoji('tada', '1f389')}</a></p>`,
    ':nope: :Tada: 10:30:15 © 👍🏽 `:tada: 🎉`': '<p>:nope: :Tada: 10:30:15 © 👍🏽 <code>:tada: 🎉</code></p>',
    'http://x.y/:tada:/': '<p><a href="http://x.y/:tada:/">http://x.y/:tada:/</a></p>',
  })
})

test('show custom emoji as pictures', async () => {
  const parrot = '<img alt=":parrot:" class="emoji" src="/user_avatars/2/emoji/images/1.gif?&quot;" title="parrot">'
  await rendersAs({ ':parrot: :crow:': `<p>${parrot} :crow:</p>` })
})

test('show the built-in emoji as a picture, unless a custom one has its name', async () => {
  const picture = (src: string) => `<img alt=":zulip:" class="emoji" src="${src}" title="zulip">`
  const html = `<p>${picture('/static/emoji-zulip.png')} :zulipp: <code>:zulip:</code></p>`
  await rendersAs({ ':zulip: :zulipp: `:zulip:`': html })
  const customEmoji = (name: string) => (name === 'zulip' ? { src: '/own.png' } : undefined)
  await rendersAs({ ':zulip:': `<p>${picture('/own.png')}</p>` }, { customEmoji })
})

test('translate emoticons if the user wants that', async () => {
  const content = ':) :-) (: :( ;) <3 :D'
  const names = [
    'smile 1f642',
    'smile 1f642',
    'smile 1f642',
    'slightly_frowning_face 1f641',
    'wink 1f609',
    'heart 2764',
    'grinning 1f600',
  ]
  const html = names.map((one) => emoji(...(one.split(' ') as [string, string]))).join(' ')
  await rendersAs(
    {
      [content]: `<p>${html}</p>`,
      'a:) :)b http://x.y :)!': `<p>a:) :)b <a href="http://x.y">http://x.y</a> ${emoji('smile', '1f642')}!</p>`,
    },
    {
      translateEmoticons: true,
    },
  )
  await rendersAs({ [content]: `<p>${content.replace('<', '&lt;')}</p>` })
})

test('mark times in UTC, and leave everything else as text', async () => {
  await rendersAs({
    '<time:2020-05-28T06:30:00+02:00>': '<p><time datetime="2020-05-28T04:30:00Z">2020-05-28T06:30:00+02:00</time></p>',
    'at <time:Jun 5th 2017, 10:30PM>!': '<p>at <time datetime="2017-06-05T22:30:00Z">Jun 5th 2017, 10:30PM</time>!</p>',
    // DIFF-TIME-NUMBERS
    '<time:0>': '<p>&lt;time:0&gt;</p>',
    '<time:12345678>': '<p>&lt;time:12345678&gt;</p>',
    '<time:20170605>': '<p><time datetime="2017-06-05T00:00:00Z">20170605</time></p>',
    '<time:1496701800>': '<p><time datetime="2017-06-05T22:30:00Z">1496701800</time></p>',
    '<time:soon> <time:> <time:2020-01-01 `<time:2020-01-01>`':
      '<p>&lt;time:soon&gt; &lt;time:&gt; &lt;time:2020-01-01 <code>&lt;time:2020-01-01&gt;</code></p>',
  })
})

test('look nothing up in a description', () => {
  assert.equal(
    renderDescription('@**Iago** @*crew* #**general chat** $$x$$ :tada: example.com'),
    '<p>@<strong>Iago</strong> @<em>crew</em> #<strong>general chat</strong> $$x$$ ' +
      `${emoji('tada', '1f389')} <a href="http://example.com">example.com</a></p>`,
  )
})
