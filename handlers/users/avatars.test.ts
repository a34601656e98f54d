import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { type Answer, type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const wide = { width: 900, height: 300, channels: 3, background: 'red' } as const
const PICTURE = await sharp({ create: wide }).jpeg().toBuffer()

function upload(by: ApiClient, file: string | Uint8Array = PICTURE): Promise<Answer> {
  const body = new FormData()
  body.append('file', new File([file as Uint8Array<ArrayBuffer>], 'me.jpg'))
  return by.request('POST', '/users/me/avatar', {}, { body })
}

const said = ({ status, body }: Answer): unknown[] => [status, body.code, body.msg]

onEachDatabase('pictures of accounts', (dialect) => {
  const parley = sharedParley(dialect)

  test('one that is uploaded is told, and is everywhere at once', async () => {
    const server = await parley()
    const [user, observer] = [await server.newUser(), server.as('guest')]
    const { queue_id } = await observer.must('POST', '/register', {
      ...{ event_types: ['realm_user', 'message'], fetch_event_types: [], client_gravatar: true },
    })
    const message = { type: 'direct', to: [observer.userId], content: 'Look at me.' }
    const { id: before } = await user.must('POST', '/messages', message)
    const { avatar_url } = (await upload(user)).body
    assert.match(avatar_url, /^\/user_avatars\/[0-9a-f]{32}\.png\?version=2$/)
    const { id: after } = await user.must('POST', '/messages', message)
    const larger = avatar_url.replace('.png', '-medium.png')
    const { events } = await observer.must('GET', '/events', { queue_id, last_event_id: -1 })
    const person = {
      user_id: user.userId,
      avatar_source: 'U',
      avatar_url,
      avatar_url_medium: larger,
      avatar_version: 2,
    }
    const told = events.map((event: { person?: object; message?: { avatar_url: string } }) => [
      event.person ?? event.message?.avatar_url,
    ])
    assert.deepEqual(told, [[null], [person], [avatar_url]])

    for (const id of [before, after])
      assert.equal((await observer.must('GET', `/messages/${id}`)).message.avatar_url, avatar_url)
    const { messages } = await observer.must('GET', '/messages', { message_ids: [before, after] })
    assert.deepEqual(
      messages.map((one: { avatar_url: string }) => one.avatar_url),
      [avatar_url, avatar_url],
    )
    const { members } = await observer.must('GET', '/users', { user_ids: [user.userId, server.as('owner').userId] })
    assert.deepEqual(members.map((one: { avatar_url: string | null }) => one.avatar_url).toSorted(), [avatar_url, null])
    assert.equal((await user.must('GET', '/users/me')).avatar_url, avatar_url)
    const state = await user.must('POST', '/register', { fetch_event_types: ['realm_user', 'realm'] })
    assert.deepEqual([state.avatar_source, state.avatar_url, state.avatar_url_medium], ['U', avatar_url, larger])
    assert.equal(state.max_avatar_file_size_mib, 5)

    for (const [url, size] of [
      [avatar_url, 100],
      [larger, 500],
    ]) {
      const picture = await fetch(server.url + url)
      const { width, height, format } = await sharp(await picture.arrayBuffer()).metadata()
      assert.deepEqual([picture.headers.get('Content-Type'), width, height, format], ['image/png', size, size, 'png'])
    }
  })

  test('the former one is gone with the next, and the last with its removal; each has a version', async () => {
    const server = await parley()
    const user = await server.newUser()
    const own = async () => {
      const { avatar_url, avatar_version } = await user.must('GET', '/users/me')
      return { avatar_url, avatar_version }
    }
    const { avatar_url: generated } = await own()
    const first = (await upload(user)).body.avatar_url
    const second = (await upload(user)).body.avatar_url
    const statuses = (urls: readonly string[]) =>
      Promise.all(urls.map(async (url) => (await fetch(server.url + url)).status))
    assert.deepEqual(await statuses([first, first.replace('.png', '-medium.png'), second]), [404, 404, 200])
    const removed = await user.must('DELETE', '/users/me/avatar')
    assert.deepEqual(
      await statuses([second, '/user_avatars/emoji', '/user_avatars/..%2femoji%2f1.png']),
      [404, 404, 404],
    )
    const plain = (url: string) => url.replace(/version=\d+/, '')
    assert.equal(plain(removed.avatar_url), plain(generated))
    assert.deepEqual(await own(), { avatar_url: removed.avatar_url, avatar_version: 4 })
    await user.must('DELETE', '/users/me/avatar')
    assert.equal((await own()).avatar_version, 5, 'also of nothing, as on deployed servers')
    await server.inDatabase(async ({ knex }) => {
      const row = await knex('user').where({ id: user.userId }).first('avatar_source', 'avatar_key')
      assert.deepEqual({ ...row }, { avatar_source: 'G', avatar_key: null })
    })
  })

  test('two uploads at once leave one picture', async () => {
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

  test('a hidden or changed address does not touch it', async () => {
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

  test('it is deleted with the profile, not with the account', async () => {
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

  test('where pictures are not to be changed, administrators change theirs alone', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    await admin.must('PATCH', '/realm', { avatar_changes_disabled: true })
    const disabled = [400, 'BAD_REQUEST', 'Avatar changes are disabled in this organization.']
    assert.deepEqual(said(await upload(user)), disabled)
    assert.deepEqual(said(await user.delete('/users/me/avatar')), disabled)
    assert.equal((await upload(admin)).status, 200)
    await admin.must('PATCH', '/realm', { avatar_changes_disabled: false })
    assert.equal((await upload(server.as('guest'))).status, 200)
  })

  test('that of a bot is uploaded with its own key (DIFF-BOT-AVATAR)', async () => {
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

describe('pictures of accounts', () => {
  const parley = sharedParley('sqlite')

  test('what is no picture is refused, and changes nothing', async () => {
    const user = await (await parley()).newUser()
    const unreadable = [400, 'BAD_IMAGE', 'Could not decode image; did you upload an image file?']
    for (const file of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'text', '', PICTURE.subarray(0, 200)])
      assert.deepEqual(said(await upload(user, file)), unreadable)
    assert.deepEqual(said(await upload(user, new Uint8Array(5 * 2 ** 20 + 1))).slice(0, 2), [413, 'BAD_REQUEST'])
    assert.deepEqual(said(await user.post('/users/me/avatar', {})).slice(0, 2), [400, 'BAD_REQUEST'])
    assert.equal((await user.must('GET', '/users/me')).avatar_version, 1)
  })
})
