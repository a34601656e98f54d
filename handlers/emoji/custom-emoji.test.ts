import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { chunksOf } from '../../domain/chunks.ts'
import { MAX_CUSTOM_EMOJI, MAX_KEPT_EMOJI } from '../../domain/limits.ts'
import { type Answer, ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const PICTURE = await sharp({ create: { width: 300, height: 100, channels: 4, background: 'red' } })
  .png()
  .toBuffer()

function add(by: ApiClient, name: string, file: string | Uint8Array = PICTURE): Promise<Answer> {
  const body = new FormData()
  body.append('file', new File([file as Uint8Array<ArrayBuffer>], 'picture.png'))
  return by.request('POST', `/realm/emoji/${encodeURIComponent(name)}`, {}, { body })
}

const said = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]

async function emojiOf(by: ApiClient, name: string) {
  const { emoji } = await by.must('GET', '/realm/emoji')
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  return Object.values<any>(emoji).find((one) => one.name === name && !one.deactivated)
}

onEachDatabase('custom emoji', (dialect) => {
  const parley = sharedParley(dialect)

  test('the picture is made from the upload, and the name has no spaces', async () => {
    const server = await parley()
    const member = server.as('member')
    assert.deepEqual(said(await add(member, 'my harbour')), [200, undefined, ''])
    const emoji = await emojiOf(member, 'my_harbour')
    assert.match(emoji.source_url, /^\/user_avatars\/emoji\/images\/[0-9a-f]{32}\.png$/)
    assert.equal(emoji.still_url, null)
    const picture = await fetch(server.url + emoji.source_url)
    const { width, height, format } = await sharp(await picture.arrayBuffer()).metadata()
    assert.deepEqual([picture.headers.get('Content-Type'), width, height, format], ['image/png', 64, 64, 'png'])
    assert.equal((await fetch(`${server.url}/user_avatars/emoji/images/none.png`)).status, 404)
  })

  test('a name means one emoji; others cannot change it', async () => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const other = await server.newUser()
    const both = await Promise.all([add(member, 'twice'), add(other, 'twice')])
    const exists = 'A custom emoji with this name already exists.'
    assert.deepEqual(both.map(({ body }) => body.msg).toSorted(), ['', exists])
    for (const name of ['zulip', 'tada'])
      assert.equal((await add(member, name)).body.msg, 'Only administrators can override default emoji.')
    for (const name of ['Upper', 'ö', 'a.b', 'a:b', 'end_', `${'a'.repeat(101)}`, '..%2f..']) {
      assert.match((await add(admin, name)).body.msg, /^The name of an emoji has at most 100 characters/, name)
    }

    await add(member, 'own')
    const author = 'Must be an organization administrator or emoji author'
    assert.equal((await other.delete('/realm/emoji/own')).body.msg, author)
    await member.must('DELETE', '/realm/emoji/own')
    assert.equal((await member.delete('/realm/emoji/own')).body.msg, "Emoji 'own' does not exist")
  })
})

describe('pictures of custom emoji', () => {
  const parley = sharedParley('sqlite')

  test('anything but a picture is refused, and changes nothing', async () => {
    const server = await parley()
    const member = server.as('member')
    const unreadable = [400, 'BAD_IMAGE', 'Could not decode image; did you upload an image file?']
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for (const file of [svg, 'text', '', PICTURE.subarray(0, PICTURE.length >> 1), '%PDF-1.7', 'GIF89a/*=1;']) {
      assert.deepEqual(said(await add(member, 'broken', file)), unreadable)
    }
    const flat = { width: 12_000, height: 12_000, channels: 3, background: 'red' } as const
    const bomb = await sharp({ create: flat }).png().toBuffer()
    assert.deepEqual(said(await add(member, 'broken', bomb)), [400, 'BAD_IMAGE', 'Image size exceeds limit.'])
    const tooLarge = await add(member, 'broken', new Uint8Array(5 * 2 ** 20 + 1))
    assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, 'BAD_REQUEST'])
    const missing = await member.post('/realm/emoji/broken', {})
    assert.deepEqual([missing.status, missing.body.code], [400, 'BAD_REQUEST'])
    assert.equal(await emojiOf(member, 'broken'), undefined)

    const page = Buffer.concat([PICTURE, Buffer.from('<script>alert(1)</script>')])
    assert.equal((await add(member, 'polyglot', page)).status, 200)
    const { source_url } = await emojiOf(member, 'polyglot')
    assert.doesNotMatch(await (await fetch(server.url + source_url)).text(), /script/)
  })

  test('SEC-SHARE-1, G8: one account leaves room for others, and deactivated emoji free it (DIFF-CUSTOM-EMOJI)', async () => {
    const server = await parley()
    await server.inDatabase(async ({ knex }) => {
      await knex('custom_emoji').delete()
    })
    const [admin, member, greedy] = [server.as('admin'), server.as('member'), await server.newUser()]
    const fill = (count: number, author: ApiClient, isDeactivated: boolean) =>
      server.inDatabase(async ({ knex }) => {
        const row = { file_name: 'x.png', author_id: author.userId, is_deactivated: isDeactivated, is_animated: false }
        const rows = Array.from({ length: count }, (_, index) => ({ ...row, name: `${author.userId}_${index}` }))
        for (const chunk of chunksOf(rows, 100)) await knex('custom_emoji').insert(chunk)
      })
    const refused = (msg: string) => [400, 'BAD_REQUEST', msg]

    await fill(MAX_CUSTOM_EMOJI, greedy, true)
    const kept = 'You have added as many custom emoji as leave room for others, with those that were deactivated.'
    assert.deepEqual(said(await add(greedy, 'again')), refused(kept))
    const bot = await greedy.must('POST', '/bots', { full_name: 'Emoji', short_name: 'emoji', bot_type: 1 })
    const { email } = (await greedy.must('GET', `/users/${bot.user_id}`)).user
    const ofBot = new ApiClient(server.url, { email, api_key: bot.api_key, user_id: bot.user_id })
    assert.deepEqual(said(await add(ofBot, 'by_a_bot')), refused(kept))
    assert.equal((await add(member, 'in_a_freed_slot')).status, 200)

    const share = 'You have added as many custom emoji as leave room for others.'
    await fill(111, member, false)
    assert.deepEqual(said(await add(member, 'one_more')), refused(share))
    assert.equal((await add(await server.newUser(), 'of_somebody_else')).status, 200)
    await fill(MAX_CUSTOM_EMOJI - 113, admin, false)
    assert.deepEqual(said(await add(admin, 'more')), refused('An organization has at most 1000 custom emoji.'))
    await admin.must('DELETE', '/realm/emoji/of_somebody_else')
    assert.equal((await add(admin, 'more')).status, 200)

    await fill(MAX_KEPT_EMOJI, admin, true)
    await admin.must('DELETE', '/realm/emoji/more')
    const all = 'An organization has at most 5000 custom emoji, with those that were deactivated.'
    assert.deepEqual(said(await add(admin, 'last')), refused(all))
  })
})
