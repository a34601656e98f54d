import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type Answer, type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const wide = { width: 900, height: 300, channels: 3, background: 'red' } as const
const PICTURE = await sharp({ create: wide }).jpeg().toBuffer()

function upload(by: ApiClient, file: string | Uint8Array = PICTURE): Promise<Answer> {
  const body = new FormData()
  body.append('file', new File([file as Uint8Array<ArrayBuffer>], 'me.jpg'))
  return by.request('POST', '/users/me/avatar', {}, { body })
}

onEachDatabase('avatars', (dialect) => {
  const parley = sharedParley(dialect)

  test('an upload is scaled to two sizes', async () => {
    const server = await parley()
    const { avatar_url } = (await upload(await server.newUser())).body
    for (const [url, size] of [
      [avatar_url, 100],
      [avatar_url.replace('.png', '-medium.png'), 500],
    ]) {
      const picture = await fetch(server.url + url)
      const { width, height, format } = await sharp(await picture.arrayBuffer()).metadata()
      assert.deepEqual([picture.headers.get('Content-Type'), width, height, format], ['image/png', size, size, 'png'])
    }
  })

  test('their addresses serve avatars only', async () => {
    const server = await parley()
    for (const path of ['/user_avatars/emoji', '/user_avatars/..%2femoji%2f1.png']) {
      assert.equal((await fetch(server.url + path)).status, 404)
    }
  })

  test('two simultaneous uploads leave one avatar', async () => {
    const server = await parley()
    const user = await server.newUser()
    const both = await Promise.all([upload(user), upload(user), user.delete('/users/me/avatar')])
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200, 200],
    )
    const { avatar_url, avatar_version } = await user.must('GET', '/users/me')
    assert.equal(avatar_version, 4)
    const urls = both.map(({ body }) => body.avatar_url as string).filter((url) => url.startsWith('/'))
    for (const url of urls) assert.equal((await fetch(server.url + url)).status, url === avatar_url ? 200 : 404)
  })

  test('hiding or changing the address does not change it', async () => {
    const server = await parley()
    const user = await server.newUser()
    const url = (await upload(user)).body.avatar_url
    await user.must('PATCH', '/settings', { email_address_visibility: 4 })
    assert.equal((await user.must('GET', '/users/me')).avatar_url, url)
    await user.must('PATCH', '/settings', { email_address_visibility: 1 })
    await server
      .as('owner')
      .must('PATCH', `/users/${user.userId}`, { new_email: `moved-${user.userId}@parley.example` })
    const { user: now } = await server.as('guest').must('GET', `/users/${user.userId}`)
    assert.deepEqual([now.avatar_url, now.avatar_version], [url, 2])
  })

  test('deleting the profile deletes it, deactivation alone does not', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const url = (await upload(user)).body.avatar_url
    const path = `/users/${user.userId}`
    const shown = async () => (await owner.must('GET', path, { client_gravatar: false })).user.avatar_url
    await owner.must('DELETE', path)
    assert.equal(await shown(), url)
    await owner.must('DELETE', path, { actions: { delete_profile: true } })
    assert.match(await shown(), /^https:/)
    assert.equal((await fetch(server.url + url)).status, 404)
  })

  test('if the organization forbids changes, the error says so', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    await admin.must('PATCH', '/realm', { avatar_changes_disabled: true })
    for (const { body } of [await upload(user), await user.delete('/users/me/avatar')])
      assert.equal(body.msg, 'Avatar changes are disabled in this organization.')
    await admin.must('PATCH', '/realm', { avatar_changes_disabled: false })
  })

  test('that of a bot is uploaded with the bot’s key (DIFF-BOT-AVATAR)', async () => {
    const server = await parley()
    const names = { full_name: server.unique('Pictured'), short_name: server.unique('pictured').replaceAll(' ', '-') }
    const body = new FormData()
    for (const [name, value] of Object.entries(names)) body.append(name, value)
    body.append('file', new File([PICTURE as Uint8Array<ArrayBuffer>], 'bot.jpg'))
    const refused = await server.as('member').request('POST', '/bots', {}, { body })
    assert.deepEqual([refused.status, refused.body.code], [400, 'BAD_REQUEST'])
    const { avatar_url } = (await upload(server.as('bot'))).body
    const { user } = await server.as('owner').must('GET', `/users/${server.as('bot').userId}`)
    assert.equal(user.avatar_url, avatar_url)
  })
})
