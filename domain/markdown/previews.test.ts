import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UploadedImage } from '../attachments/thumbnails.ts'
import type { UserId } from '../ids.ts'
import { hasPreviews, withPreviews } from './previews.ts'
import { renderMessage } from './render.ts'
import { assertSafe, directory } from './testing.ts'

const scope = { ...directory, hasPreviewPlaces: true }
const url = (name: string): string => `/user_uploads/1/ab/${name}`
const image = (name: string, changes: Partial<UploadedImage> = {}): UploadedImage => ({
  attachmentId: 1,
  ownerId: 1 as UserId,
  pathId: `1/ab/${name}`,
  contentType: 'image/png',
  size: { width: 20, height: 10 },
  isAnimated: false,
  state: 'made',
  isTold: true,
  attempts: 1,
  ...changes,
})
const facts = 'data-original-content-type="image/png" data-original-dimensions="20x10"'
const shown = (name: string, title = 'a'): string =>
  `<div class="message_inline_image"><a href="${url(name)}" title="${title}"><img src="/user_uploads/thumbnail/1/ab/${name}/840x560.webp" ${facts}></a></div>`
const link = (name: string, text = 'a'): string => `<a href="${url(name)}">${text}</a>`

test('an image is shown after the block that links to it, and nowhere else', () => {
  for (const [content, html] of Object.entries({
    [`[a](${url('x.png')})`]: `<p>${link('x.png')}</p>\n${shown('x.png')}`,
    [`[a](${url('x.png')}) and\n[b](${url('y.png')})\n\nend`]: `<p>${link('x.png')} and<br>\n${link('y.png', 'b')}</p>\n${shown('x.png')}\n${shown('y.png', 'b')}\n<p>end</p>`,
    [`# [a](${url('x.png')})`]: `<h1>${link('x.png')}</h1>\n${shown('x.png')}`,
    [`* [a](${url('x.png')})\n* b`]: `<ul>\n<li>${link('x.png')}\n${shown('x.png')}</li>\n<li>b</li>\n</ul>`,
    [`[a](${url('x.png')})\n\n[again](${url('x.png')})`]: `<p>${link('x.png')}</p>\n${shown('x.png')}\n<p>${link('x.png', 'again')}</p>`,
    [`[](${url('x.png')})`]: `<p>${link('x.png', url('x.png'))}</p>\n${shown('x.png', 'x.png')}`,
    [`> [a](${url('x.png')})`]: `<blockquote>\n<p>${link('x.png')}</p>\n</blockquote>`,
    [`\`\`\`quote\n[a](${url('x.png')})\n\`\`\``]: `<blockquote>\n<p>${link('x.png')}</p>\n</blockquote>`,
    [`\`[a](${url('x.png')})\``]: `<p><code>[a](${url('x.png')})</code></p>`,
    [`[a](${url('x.png')}) [text](${url('notes.txt')})`]: `<p>${link('x.png')} ${link('notes.txt', 'text')}</p>\n${shown('x.png')}`,
  })) {
    const rendered = withPreviews(renderMessage(content, scope).html, [image('x.png'), image('y.png')])
    assert.equal(rendered, html, content)
    assertSafe(rendered)
  }
})

test('without images the HTML equals that without previews', () => {
  const link = (name: string) => `[a](${url(name)})`
  for (const content of [
    link('x.png'),
    `* ${link('x.png')}\n* b\n\n1. ${link('y.png')}\n   * ${link('z.png')}\n   * c`,
    `* ${link('x.png')}\n\n  b`,
    `| a | b |\n|---|---|\n| ${link('x.png')} | c |\n\nd`,
    `\`\`\`spoiler ${link('x.png')}\n${link('y.png')}\n\`\`\``,
    `> ${link('x.png')}\n\n${link('x.png')}`,
  ]) {
    const html = withPreviews(renderMessage(content, scope).html, [])
    assert.equal(html, renderMessage(content, directory).html)
    assert.ok(!hasPreviews(html))
  }
})

test('an image without a thumbnail has a placeholder, which its thumbnail or link replaces', () => {
  const { html } = renderMessage(`[a](${url('x.png')})`, scope)
  const waiting = withPreviews(html, [image('x.png', { state: 'waiting' })])
  assert.match(waiting, /<img class="image-loading-placeholder" src="\/static\/loading\.png" data-original/)
  assertSafe(waiting)
  assert.equal(withPreviews(waiting, [image('x.png')]), `<p>${link('x.png')}</p>\n${shown('x.png')}`)
  assert.equal(withPreviews(waiting, [image('x.png', { state: 'broken' })]), `<p>${link('x.png')}</p>`)
  const moving = withPreviews(waiting, [image('x.png', { isAnimated: true, size: undefined })])
  assert.match(moving, /840x560\.webp" data-original-content-type="image\/png" data-animated="true">/)
})

test('names and texts that look like HTML stay text, and have their image', () => {
  const name = 'größe-"><b>&.png'
  const { html } = renderMessage(`["><b>&](${encodeURI(url(name))})`, scope)
  const rendered = withPreviews(html, [image(name)])
  assertSafe(rendered)
  assert.match(
    rendered,
    /title="&quot;&gt;&lt;b&gt;&amp;"><img src="\/user_uploads\/thumbnail\/1\/ab\/gr%C3%B6%C3%9Fe-/,
  )
})

test('a message with more than 24 images shows none', () => {
  const names = Array.from({ length: 25 }, (_, index) => `${index}.png`)
  const shownOf = (some: readonly string[]): number => {
    const { html } = renderMessage(some.map((name) => `[a](${url(name)})`).join(' '), scope)
    return (
      withPreviews(
        html,
        names.map((name) => image(name)),
      ).split('message_inline_image').length - 1
    )
  }
  assert.deepEqual([shownOf(names.slice(1)), shownOf(names)], [24, 0])
})
