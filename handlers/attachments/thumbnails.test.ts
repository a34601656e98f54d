import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import {
  type Answer,
  type ApiClient,
  onEachDatabase,
  ownParley,
  sharedParley,
  type TestServer,
} from '../../server/testing.ts'

const PLACEHOLDER = /<img class="image-loading-placeholder" src="\/static\/loading\.png"/
const THUMBNAIL = '/840x560.webp'

type Colour = 'red' | 'blue'

function picture(width: number, height: number, background: Colour = 'red'): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width, height, channels: 3, background } })
  return image.png().toBuffer() as Promise<Uint8Array<ArrayBuffer>>
}

async function film(): Promise<Uint8Array<ArrayBuffer>> {
  const frames = await Promise.all([picture(30, 20), picture(30, 20, 'blue')])
  return (await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()) as unknown as Uint8Array<ArrayBuffer>
}

const thumbnailOf = (url: string): string => url.replace('/user_uploads/', '/user_uploads/thumbnail/')
const statusOf = async (user: ApiClient, url: string): Promise<Answer> =>
  user.get(url.replace('/user_uploads/', '/thumbnail/status/'))

async function uploaded(user: ApiClient, bytes: Uint8Array<ArrayBuffer> | string, name = 'boat.png'): Promise<string> {
  const { status, body } = await user.upload(name, bytes)
  assert.equal(status, 200, JSON.stringify(body))
  return body.url
}

async function htmlOf(user: ApiClient, id: number): Promise<string> {
  return (await user.must('GET', `/messages/${id}`)).message.content
}

/** Registers for changed messages. Returns a function that waits for the event of a message. */
async function listen(user: ApiClient): Promise<(id: number) => Promise<Answer['body']>> {
  const { until } = await user.listen(['update_message'])
  const seen: Answer['body'][] = []
  return async (id) => {
    const found = () => seen.find((event) => event.message_id === id)
    while (!found()) seen.push(...(await until((events) => events.length > 0)))
    return found()
  }
}

/** Returns the HTML of a message once it has no placeholder any more. */
async function shown(user: ApiClient, url: string): Promise<string> {
  const changed = await listen(user)
  const id = await user.send([user], `[boat](${url})`)
  const html = await htmlOf(user, id)
  return PLACEHOLDER.test(html) ? (await changed(id)).rendered_content : html
}

/** Resets images to a state without thumbnails, in which none are made until they are `due`. */
async function hold(server: TestServer, user: ApiClient, ...urls: string[]): Promise<void> {
  for (const url of urls) await shown(user, url)
  await server.inDatabase(async (session) => {
    for (const url of urls) {
      const image = '(select id from attachment where path_id = ?)'
      const pathId = url.replace('/user_uploads/', '')
      await session.run(`delete from thumbnail where attachment_id = ${image}`, [pathId])
      await session.run(`update image set is_made = 0, is_told = 1 where attachment_id = ${image}`, [pathId])
    }
  })
}

async function due(server: TestServer, user: ApiClient): Promise<void> {
  await server.inDatabase(async (session) => session.run('update image set is_told = 0 where is_made = 0'))
  await uploaded(user, 'wakes the job', 'notes.txt')
}

onEachDatabase('thumbnails', (dialect) => {
  const parley = sharedParley(dialect)

  test('a thumbnail shows an image in a message to readers of the message only', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const url = await uploaded(user, await picture(1680, 560))
    const html = await shown(user, url)
    const thumbnail = thumbnailOf(url) + THUMBNAIL
    assert.equal(
      html,
      `<p><a href="${url}">boat</a></p>\n<div class="message_inline_image"><a href="${url}" title="boat"><img src="${thumbnail}" ` +
        'data-original-content-type="image/png" data-original-dimensions="1680x560"></a></div>',
    )
    const answer = await user.fetch(thumbnail)
    const bytes = await answer.bytes()
    const { width, height, format } = await sharp(bytes).metadata()
    assert.deepEqual([answer.status, width, height, format], [200, 840, 280, 'webp'])
    assert.deepEqual(
      ['Content-Type', 'Cache-Control', 'Content-Length'].map((name) => answer.headers.get(name)),
      ['image/webp', 'private, no-cache', String(bytes.length)],
    )
    const again = await user.fetch(thumbnail, { headers: { 'If-None-Match': answer.headers.get('ETag') ?? '' } })
    assert.equal(again.status, 304)
    assert.equal((await user.fetch(`${thumbnailOf(url)}/840x560-anim.webp`)).status, 404, 'it does not move')

    const id = await user.send([other], `[boat](${url})`)
    assert.equal((await other.fetch(thumbnail)).status, 200)
    await user.must('DELETE', `/messages/${id}`)
    assert.equal((await other.fetch(thumbnail)).status, 404, 'whoever could read it')
    const foreign = await htmlOf(other, await other.send([other], `[boat](${url})`))
    assert.match(foreign, /^<p>.*<\/p>$/, 'nothing of what it is')
  })

  test('a message has a placeholder until the thumbnail is made, and the update is no edit', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const url = await uploaded(user, await film(), 'film.gif')
    await hold(server, user, url)
    const id = await user.send([other], `[film](${url})`)
    const edited = await user.send([other], 'no film')
    await user.must('PATCH', `/messages/${edited}`, { content: `the [film](${url})` })
    const before = (await other.must('GET', `/messages/${id}`)).message
    assert.match(before.content, PLACEHOLDER)
    assert.match(before.content, / data-original-dimensions="30x20" data-animated="true">/)
    assert.deepEqual(
      [(await statusOf(other, url)).body.has_thumbnail, (await other.fetch(thumbnailOf(url) + THUMBNAIL)).status],
      [false, 404],
    )
    const changed = await listen(other)
    await due(server, user)
    const event = await changed(id)
    assert.deepEqual(
      [event.user_id, event.rendering_only, event.message_ids, event.flags, event.content],
      [null, true, [id], [], `[film](${url})`],
    )
    const after = (await other.must('GET', `/messages/${id}`)).message
    assert.equal(event.rendered_content, after.content)
    assert.deepEqual({ ...after, content: '' }, { ...before, content: '' })
    assert.ok(!PLACEHOLDER.test(after.content))
    assert.match((await changed(edited)).rendered_content, /^<p>the /)
    const { pages } = await sharp(await (await other.fetch(`${thumbnailOf(url)}/840x560-anim.webp`)).bytes()).metadata()
    assert.equal(pages, 2)
  })

  test('unreadable images, and those with too many pixels, are ordinary files', async () => {
    const server = await parley()
    const user = await server.newUser()
    const png = await picture(50, 50)
    const bomb = png.slice()
    for (const at of [16, 20]) new DataView(bomb.buffer, bomb.byteOffset).setUint32(at, 20_000)
    for (const bytes of [bomb, 'GIF89a is no picture', '<svg xmlns="http://www.w3.org/2000/svg"/>']) {
      const url = await uploaded(user, bytes, 'bomb.png')
      const id = await user.send([user], `[bomb](${url})`)
      assert.equal(await htmlOf(user, id), `<p><a href="${url}">bomb</a></p>`)
      assert.equal((await statusOf(user, url)).body.has_thumbnail, false)
    }
    // The header is valid.
    const url = await uploaded(user, png.slice(0, -30), 'cut.png')
    assert.equal(await shown(user, url), `<p><a href="${url}">boat</a></p>`)
  })

  test('a file that is deleted before its thumbnail is made leaves no placeholder', async () => {
    const server = await parley()
    const user = await server.newUser()
    const [url, stays] = [await uploaded(user, await picture(5, 5)), await uploaded(user, await picture(6, 6))]
    await hold(server, user, url, stays)
    const id = await user.send([user], `[boat](${url}) [other](${stays})`)
    assert.equal((await htmlOf(user, id)).split('image-loading-placeholder').length, 3)
    const changed = await listen(user)
    const { attachments } = await user.must('GET', '/attachments')
    await user.must('DELETE', `/attachments/${attachments[0].id}`)
    const { rendered_content: html } = await changed(id)
    assert.equal(html.split('image-loading-placeholder').length, 2)
    assert.ok(html.includes(`title="other"><img class="image-loading-placeholder"`))
    await due(server, user)
    assert.equal((await statusOf(user, url)).status, 404)
  })

  test('a file that is deleted with a thumbnail that no message has leaves no placeholder', async () => {
    const server = await parley()
    const user = await server.newUser()
    const url = await uploaded(user, await picture(5, 5))
    await hold(server, user, url)
    const id = await user.send([user], `[boat](${url})`)
    assert.match(await htmlOf(user, id), PLACEHOLDER)
    await server.inDatabase(async (session) =>
      session.run('update image set is_made = 1, is_told = 0 where owner_id = ?', [user.userId]),
    )
    const { attachments } = await user.must('GET', '/attachments')
    await user.must('DELETE', `/attachments/${attachments[0].id}`)
    assert.equal(await htmlOf(user, id), `<p><a href="${url}">boat</a></p>`)
  })

  test('more images than may wait are accepted, and get their thumbnails later', async () => {
    const server = await parley()
    // Each account sends a few requests at once. Together they exceed the limit of waiting images.
    const users = await Promise.all(Array.from({ length: 10 }, () => server.newUser()))
    const png = await picture(7, 5)
    const answers = await Promise.all(
      [...users, ...users, ...users, ...users].map(async (user) => ({ user, ...(await user.upload('boat.png', png)) })),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    for (const { user, body } of answers) {
      assert.match(await shown(user, body.url), /840x560\.webp" .*data-original-dimensions="7x5"/)
    }
  })

  test('unfinished work continues after a kill, and an image that always ends the server is skipped', async () => {
    const server = await parley()
    const user = await server.newUser()
    for (const [left, isShown] of [
      ['is_made = 1', true],
      ['attempts = 2', true],
      ['attempts = 3', false],
    ] as const) {
      const url = await uploaded(user, await picture(5, 5))
      await hold(server, user, url)
      const id = await user.send([user], `[boat](${url})`)
      const changed = await listen(user)
      const pathId = url.replace('/user_uploads/', '')
      await server.inDatabase(async (session) =>
        session.run(`update image set ${left} where attachment_id = (select id from attachment where path_id = ?)`, [
          pathId,
        ]),
      )
      await server.inDatabase(async (session) => session.run('update image set is_told = 0'))
      await uploaded(user, 'wakes the job', 'notes.txt')
      const { rendered_content: html } = await changed(id)
      assert.deepEqual([html.includes(thumbnailOf(url)), html.includes('<img')], [isShown, isShown], left)
    }
  })

  test('an organization without image previews has none', async (t) => {
    const server = await ownParley(t, dialect, {}, { inline_image_preview: false })
    const user = server.as('member')
    const url = await uploaded(user, await picture(5, 5))
    assert.equal(await htmlOf(user, await user.send([user], `[boat](${url})`)), `<p><a href="${url}">boat</a></p>`)
  })
})
