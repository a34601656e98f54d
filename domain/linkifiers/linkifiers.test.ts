import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { renderMessage } from '../markdown/render.ts'
import { checkLinkifier } from './check-linkifier.ts'
import { LinkPattern, linkWorkOfText, MAX_PATTERN_SIZE } from './link-pattern.ts'
import { Linkifiers } from './linkifiers.ts'

function linkifiers(...list: readonly (readonly [pattern: string, template: string])[]): Linkifiers {
  return new Linkifiers(
    list.map(([pattern, url_template], index) => ({
      id: index + 1,
      pattern,
      url_template,
      example_input: null,
      reverse_template: null,
      alternative_url_templates: [],
    })),
  )
}
const issues = linkifiers(['#(?P<id>[0-9]+)', 'https://example.com/{id}'])
const html = (content: string, scope = issues) => renderMessage(content, { linkifiers: scope }).html
const link = (number: number) => `<a href="https://example.com/${number}">#${number}</a>`

describe('linkifiers in messages', () => {
  test('match separate words only', () => {
    for (const [content, expected] of [
      ['#1', link(1)],
      ['#1 #2, (#3): "#4"', `${link(1)} ${link(2)}, (${link(3)}): &quot;${link(4)}&quot;`],
      ['see\n#5', `see<br>\n${link(5)}`],
      ['a#1 #1a #1é ##1', 'a#1 #1a #1é ##1'],
      ['**#6**', `<strong>${link(6)}</strong>`],
      ['`#7` $$#8$$', '<code>#7</code> $$#8$$'],
    ] as const) {
      assert.equal(html(content), `<p>${expected}</p>`, content)
    }
    assert.equal(html('[text #9](https://example.org)'), '<p><a href="https://example.org">text #9</a></p>')
    assert.equal(
      html('https://example.org/a,#9'),
      '<p><a href="https://example.org/a,#9">https://example.org/a,#9</a></p>',
    )
    assert(renderMessage('#1', { linkifiers: issues }).hasLink)
  })

  test('the first of several matches wins', () => {
    const both = linkifiers(
      ['AB-(?P<n>\\d+)', 'https://a.example/{n}'],
      ['(?P<k>[A-Z]+)-(?P<n>\\d+)', 'https://b.example/{k}/{n}'],
    )
    assert.equal(
      html('AB-1 CD-2', both),
      '<p><a href="https://a.example/1">AB-1</a> <a href="https://b.example/CD/2">CD-2</a></p>',
    )
  })

  test('link to http, https and mailto only', () => {
    for (const [template, expected] of [
      ['mailto:{id}@example.com', '<a href="mailto:1@example.com">#1</a>'],
      ['example.com/{id}', '<a href="http://example.com/1">#1</a>'],
      ['javascript:{id}', '#1'],
      ['java{id}script:x', '#1'],
      ['/local/{id}', '#1'],
    ] as const) {
      const found = html('#1', linkifiers(['#(?P<id>[0-9]+)', template]))
      assert.equal(found, `<p>${expected}</p>`, template)
    }
    const any = linkifiers(['x(?P<rest>.*)', '{+rest}'])
    assert.equal(html('xjavascript:alert(1)', any), '<p>xjavascript:alert(1)</p>')
    assert.equal(html('xdata:text/html', any), '<p>xdata:text/html</p>')
  })

  test('what is no URL stays text', () => {
    const hosts = linkifiers(['~(?P<host>\\S*)', 'https://{+host}'])
    for (const text of ['~:99999999', '~', '~a:99999999', '~[a']) {
      assert.equal(html(text, hosts), `<p>${text}</p>`)
      assert.deepEqual(hosts.topicLinks(text), [])
    }
    assert.deepEqual(hosts.topicLinks('~a:9999'), [{ text: '~a:9999', url: 'https://a:9999' }])
  })

  test('values are encoded as the template says', () => {
    const words = linkifiers(['~(?P<a>\\S+)', 'https://example.com/{a}?q={+a}'])
    assert.equal(
      html('~a/b"<', words),
      '<p><a href="https://example.com/a%2Fb%22%3C?q=a/b%22%3C">~a/b&quot;&lt;</a></p>',
    )
  })

  test('never cut characters, or make longer addresses than allowed', () => {
    const first = linkifiers(['~(?P<a>.+)', 'https://example.com/{a:1}'])
    assert.equal(
      html('~🐙', first),
      '<p>~<span aria-label="octopus" class="emoji emoji-1f419" role="img" title="octopus">:octopus:</span></p>',
    )
    const many = linkifiers(['~(?P<a>.+)', `https://example.com/${'{a}'.repeat(200)}`])
    assert.equal(html(`~${'x'.repeat(20)}`, many), `<p>~${'x'.repeat(20)}</p>`)
    assert.deepEqual(first.topicLinks('~\ud800'), [{ text: '~\ud800', url: 'https://example.com/%EF%BF%BD' }])
    const long = `${'x'.repeat(199)}🐙 ~y`
    assert(html(long, first).includes('href="https://example.com/y"'))
  })

  test('a list of many has a link each', () => {
    const content = Array.from({ length: 150 }, (_, number) => `#${number}`).join(' ')
    assert.equal(html(content).split('<a ').length - 1, 150)
  })

  test('topics have their links in the order of the text', () => {
    assert.deepEqual(issues.topicLinks('#2 and #1'), [
      { text: '#2', url: 'https://example.com/2' },
      { text: '#1', url: 'https://example.com/1' },
    ])
    assert.deepEqual(issues.topicLinks('plain'), [])
  })
})

describe('an invalid linkifier is refused', () => {
  const given = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
  const rest = { example_input: null, reverse_template: null, alternative_url_templates: [] }
  const errors = (change: object) => {
    try {
      checkLinkifier({ ...given, ...rest, ...change })
      return undefined
    } catch (err) {
      return Object.keys((err as { data: { errors: object } }).data.errors).join()
    }
  }

  for (const [what, change, expected] of [
    ['never without a reason', {}, undefined],
    [
      'never with everything',
      { example_input: '#12', reverse_template: '#{id}', alternative_url_templates: ['https://e.example/{id}'] },
      undefined,
    ],
    ['never without variables', { pattern: 'FAQ', url_template: 'example.com' }, undefined],
    ['with a blank pattern', { pattern: ' ' }, 'pattern'],
    ['that is no regular expression', { pattern: '(?P<id>' }, '__all__'],
    ['that closes what it has not opened', { pattern: 'a)|(?P<id>b' }, '__all__'],
    ['that looks behind', { pattern: '(?<=a)(?P<id>b)' }, '__all__'],
    ['that is too much work', { pattern: '(?P<id>(?:a{0,100}){0,9})' }, '__all__'],
    ['with copies of copies', { pattern: `(?P<id>${'('.repeat(9)}a${'){9}'.repeat(9)})` }, '__all__'],
    ['with a broken template', { url_template: 'https://example.com/{id' }, 'url_template'],
    ['with a template of scripts', { url_template: 'javascript:{id}' }, 'url_template'],
    ['without a group of its template', { url_template: 'https://example.com/{id}/{x}' }, '__all__'],
    ['with a group that its template has not', { url_template: 'https://example.com/' }, '__all__'],
    ['with another group elsewhere', { alternative_url_templates: ['https://e.example/{x}'] }, '__all__'],
    ['with an example of something else', { example_input: 'see #12' }, 'example_input'],
    ['with a broken reverse template', { reverse_template: '#{id' }, 'reverse_template'],
  ] as const) {
    test(what, () => assert.equal(errors(change), expected))
  }
})

test('patterns are fast, and remove nothing from the text', () => {
  const patterns = fc.constantFrom('a.*b|a', '(?:a?){50}a{50}', '(a+a+)+b', '[ab]*a[ab]{9}c', '(?P<x>\\pL+) ', '.*', '')
  fc.assert(
    fc.property(
      patterns,
      fc.array(fc.constantFrom('a', 'b', 'a ', ' ', 'ab'), { maxLength: 3000 }),
      (source, parts) => {
        const pattern = LinkPattern.of(source) as LinkPattern
        const text = parts.join('')
        const work = linkWorkOfText()
        const found = pattern.matches(text, work)
        assert(work.steps > -500 * MAX_PATTERN_SIZE)
        for (const [index, { start, end }] of found.entries()) {
          assert(start < end && end <= text.length && start >= (found[index - 1]?.end ?? 0))
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('matches are the same at every place of a text', () => {
  const pattern = LinkPattern.of('(~|RFC )[0-9]+') as LinkPattern
  const whole = /(?<=^|[\s\p{Z}'"(,:<])(?:~|RFC )[0-9]+(?![\p{L}\p{N}])/gu
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('~1', '~123456', 'RFC 1234', 'x', '，', '语', ',', ' ', '('), {
        minLength: 100,
        maxLength: 300,
      }),
      (parts) => {
        const text = parts.join('')
        const found = pattern.matches(text, { steps: Number.MAX_SAFE_INTEGER, links: 1000 })
        const expected = [...text.matchAll(whole)].map(({ 0: match, index }) => [index, index + match.length])
        assert.deepEqual(
          found.map(({ start, end }) => [start, end]),
          expected,
        )
      },
    ),
  )
})
