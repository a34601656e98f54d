import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { MIB } from '../../domain/attachments/attachment.ts'
import { ROLE } from '../../domain/users/roles.ts'
import { type ApiClient, basic, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

/** Names of all files in the upload folder of the server. */
function filesOf({ dataFolder }: TestServer): string[] {
  const entries = readdirSync(join(dataFolder, 'uploads'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const part = (headers: string, content: string): string =>
  `--B\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=B' }

/** An upload whose body is still to be written. */
function begun({ url }: TestServer, { email, apiKey }: ApiClient, more: object = {}) {
  const headers = { ...MULTIPART, Authorization: basic(email, apiKey), ...more }
  return request(`${url}/api/v1/user_uploads`, { method: 'POST', headers })
}

onEachDatabase('POST /user_uploads', (dialect) => {
  const parley = sharedParley(dialect, { uploads: { maxFileMib: 1, quotaMib: null } })

  test('require exactly one file', async () => {
    const user = await (await parley()).newUser()
    const file = (name: string) => part(`name="f"; filename="${name}"`, 'x')
    const none = 'You must specify a file to upload'
    const cases: [body: string, status: number, msg: string | RegExp][] = [
      [`${part('name="file"', 'text')}--B--\r\n`, 400, none],
      [`${file('')}--B--\r\n`, 400, none],
      [`${file('a')}${file('b')}--B--\r\n`, 400, 'You may only upload one file at a time'],
      [`${file('a')}`, 400, /broken or incomplete/],
      ['nonsense', 400, /broken or incomplete/],
      [
        `${'--B\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n'.repeat(201)}--B--\r\n`,
        400,
        /more than 200 parts/,
      ],
      [`${part('name="x"', 'x'.repeat(MIB + 1))}--B--\r\n`, 413, /larger than 1048576 bytes/],
    ]
    const send = (body: string, type = MULTIPART['Content-Type']) => {
      const headers = { 'Content-Type': type, Authorization: basic(user.email, user.apiKey) }
      return user.request('POST', '/user_uploads', {}, { body, headers })
    }
    for (const [sent, status, msg] of cases) {
      const answer = await send(sent)
      assert.deepEqual([answer.status, answer.body.code], [status, 'BAD_REQUEST'], sent.slice(0, 100))
      if (typeof msg === 'string') assert.equal(answer.body.msg, msg)
      else assert.match(answer.body.msg, msg)
    }
    assert.equal((await user.post('/user_uploads', { file: 'text' })).body.msg, none)
    assert.equal((await send('{}', 'application/json')).status, 415)
    assert.match((await send('x', 'multipart/form-data')).body.msg, /names no multipart boundary/)
    assert.deepEqual((await user.must('GET', '/attachments')).attachments, [])
  })

  test('the part may have any name; other parts and the query are reported as unknown (ENV-11)', async () => {
    const user = await (await parley()).newUser()
    const body = `${part('name="purpose"', 'x')}${part('name="any name"; filename="a.txt"', 'content')}--B--\r\n`
    const headers = { ...MULTIPART, Authorization: basic(user.email, user.apiKey) }
    const answer = await user.fetch('/api/v1/user_uploads?q=1', { method: 'POST', body, headers })
    const { url, ignored_parameters_unsupported: ignored } = (await answer.json()) as {
      url: string
      ignored_parameters_unsupported: string[]
    }
    assert.deepEqual(ignored, ['purpose', 'q'])
    assert.equal(await (await user.fetch(url)).text(), 'content')
  })

  test('an empty file is accepted, and one of exactly the maximum size', async () => {
    const server = await parley()
    const user = await server.newUser()
    const empty = await user.upload('empty', '')
    const answer = await user.fetch(empty.body.url)
    assert.deepEqual([answer.status, answer.headers.get('Content-Length'), await answer.text()], [200, '0', ''])
    const largest = await user.upload('largest', 'x'.repeat(MIB))
    assert.equal((await (await user.fetch(largest.body.url)).bytes()).length, MIB)
    const before = filesOf(server)
    for (const size of [MIB + 1, 3 * MIB]) {
      const { status, body } = await user.upload('too large', 'x'.repeat(size))
      assert.deepEqual([status, body.code], [413, 'BAD_REQUEST'])
      assert.match(body.msg, /at most 1 MiB/)
    }
    assert.deepEqual(filesOf(server), before)
  })

  test('an interrupted upload leaves nothing behind', async () => {
    const server = await parley()
    const user = await server.newUser()
    const before = filesOf(server)
    const outgoing = begun(server, user, { 'Content-Length': '500000' })
    outgoing.on('error', () => undefined)
    outgoing.write(part('name="f"; filename="half.bin"', 'x'.repeat(200_000)))
    while (filesOf(server).length === before.length) await new Promise((resolve) => setImmediate(resolve))
    outgoing.destroy()
    while (filesOf(server).length > before.length) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual((await user.must('GET', '/attachments')).attachments, [])
  })

  test('an upload fails if its account is deactivated meanwhile', async () => {
    const server = await parley()
    const user = await server.newUser()
    const before = filesOf(server)
    const outgoing = begun(server, user)
    const answered = new Promise<number | undefined>((resolve, reject) => {
      outgoing.on('response', (answer) => resolve(answer.resume().statusCode))
      outgoing.on('error', reject)
    })
    outgoing.write('--B\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nthe first half')
    while (filesOf(server).length === before.length) await new Promise((resolve) => setImmediate(resolve))
    await server.as('owner').must('DELETE', `/users/${user.userId}`)
    outgoing.end('\r\n--B--\r\n')
    assert.equal(await answered, 401)
    assert.deepEqual(filesOf(server), before)
  })
})

onEachDatabase('POST /user_uploads: limits', (dialect) => {
  const parley = sharedParley(dialect, { uploads: { maxFileMib: 2, quotaMib: 3 } })

  test('simultaneous uploads count each other; deleted files free their space', async () => {
    const server = await parley()
    const users = await Promise.all([server.newUser(), server.newUser(), server.newUser()])
    for (const { userId } of users)
      await server.as('owner').must('PATCH', `/users/${userId}`, { role: ROLE.administrator })
    const [user = assert.fail()] = users
    const state = await user.must('POST', '/register', { fetch_event_types: ['realm'] })
    assert.deepEqual([state.max_file_upload_size_mib, state.realm_upload_quota_mib], [2, 3])
    const answers = await Promise.all(
      users.flatMap((one) => [one.upload('a', 'x'.repeat(MIB)), one.upload('b', 'x'.repeat(MIB))]),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    assert.equal(refused.length, 3)
    for (const { status, body } of refused) {
      assert.deepEqual(
        [status, body.code, body.msg],
        [400, 'REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota."],
      )
    }
    assert.equal(filesOf(server).length, 3)
    const lists = await Promise.all(users.map((one) => one.must('GET', '/attachments')))
    assert.equal(lists.flatMap((list) => list.attachments).length, 3)
    for (const list of lists) assert.equal(list.upload_space_used, 3 * MIB)
    assert.equal((await user.upload('one byte', 'x')).status, 400)
    const [rich = assert.fail()] = users.filter((_, index) => lists[index].attachments.length > 0)
    const { attachments } = await rich.must('GET', '/attachments')
    await rich.must('DELETE', `/attachments/${attachments[0].id}`)
    assert.equal((await user.upload('fits', 'x'.repeat(MIB))).status, 200)
    for (const one of users) {
      for (const { id } of (await one.must('GET', '/attachments')).attachments)
        await one.must('DELETE', `/attachments/${id}`)
    }
  })

  test('SEC-SHARE-1, G8: a member and their bots leave room for others (DIFF-UPLOAD-QUOTA)', async () => {
    const server = await parley()
    const [greedy, other] = [await server.newUser(), await server.newUser()]
    const quarter = 'x'.repeat(MIB / 4)
    assert.equal((await greedy.upload('a', quarter)).status, 200)
    const bot = await server.newBot(greedy)
    for (const one of [greedy, bot]) assert.equal((await one.upload('b', quarter)).body.code, 'REALM_UPLOAD_QUOTA')
    assert.equal((await other.upload('c', quarter)).status, 200)
    assert.equal((await greedy.must('GET', '/attachments')).upload_space_used, MIB / 2)
    assert.equal((await server.as('admin').upload('d', 'x'.repeat(2 * MIB))).status, 200)
  })
})

onEachDatabase('POST /user_uploads: switched off', (dialect) => {
  const parley = sharedParley(dialect, { uploads: { maxFileMib: 0, quotaMib: null } })

  test('every file is too large', async () => {
    const server = await parley()
    assert.equal((await server.as('member').upload('a', '')).status, 413)
    assert.deepEqual(filesOf(server), [])
  })
})
