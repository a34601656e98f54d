import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../domain/clock.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

let advancedMs = 0

onEachDatabase('GET /user_uploads/{realm_id_str}/{filename}', (dialect) => {
  const parley = sharedParley(dialect, { clock: { ...systemClock, now: () => Date.now() + advancedMs } })

  test('a link works without credentials, for 60 seconds', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { body } = await user.upload('Größe.txt', 'content')
    const link = await user.must('GET', body.url)
    assert.match(link.url, /^\/user_uploads\/temporary\//)
    const open = () => fetch(server.url + link.url)
    const answer = await open()
    assert.deepEqual([answer.status, await answer.text()], [200, 'content'])
    assert.equal(answer.headers.get('Content-Security-Policy')?.startsWith('sandbox;'), true)
    advancedMs += 58_000
    assert.equal((await open()).status, 200)
    advancedMs += 4000
    const expired = await open()
    assert.deepEqual(
      [expired.status, await expired.json()],
      [404, { result: 'error', msg: 'There is no such file', code: 'BAD_REQUEST' }],
    )
  })

  test('slashes may be encoded, as generated clients do', async () => {
    const server = await parley()
    const user = await server.newUser()
    const { body } = await user.upload('a.txt', 'content')
    const [, , realm, ...rest] = body.url.split('/')
    const link = await user.must('GET', `/user_uploads/${realm}/${encodeURIComponent(rest.join('/'))}`)
    assert.equal((await fetch(server.url + link.url)).status, 200)
  })

  test('a changed link does not work', async () => {
    const server = await parley()
    const user = await server.newUser()
    const one = (await user.upload('a.txt', 'one')).body.url
    const other = (await user.upload('a.txt', 'other')).body.url
    const { url } = await user.must('GET', one)
    const [, , , expiresAt, signature] = url.split('/')
    const changed = [
      url.replace(one.slice('/user_uploads'.length), other.slice('/user_uploads'.length)),
      url.replace(expiresAt, String(Number(expiresAt) + 1)),
      url.replace(signature, signature.toLowerCase()),
      url.replace(signature, signature.slice(1)),
      url.replace(signature, 'x'),
      url.replace('a.txt', 'b.txt'),
    ]
    assert.equal((await fetch(server.url + url)).status, 200)
    for (const link of changed) {
      assert.notEqual(link, url)
      assert.equal((await fetch(server.url + link)).status, 404, link)
    }
    assert.equal((await fetch(server.url + url.replace(expiresAt, 'never'))).status, 404)
  })
})
