import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../domain/clock.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const START = 1_767_430_800

onEachDatabase('presence', (dialect) => {
  let seconds = START
  const parley = sharedParley(dialect, { clock: { ...systemClock, now: () => seconds * 1000 + 250 } })
  const report = (user: ApiClient, parameters: object = {}) =>
    user.must('POST', '/users/me/presence', { status: 'active', ...parameters })

  test('a report with ping_only is answered with the ID of no update (DIFF-PING)', async () => {
    const user = await (await parley()).newUser()
    assert.equal((await report(user, { ping_only: true })).presence_last_update_id, -1)
  })

  test('users are announced when they return, and not while they are active', async () => {
    const server = await parley()
    const [user, observer] = [await server.newUser(), server.as('guest')]
    const heard = await observer.listen(['presence'])
    await report(user)
    seconds += 60
    await report(user)
    seconds += 201
    const came = seconds - 261
    await report(user, { status: 'idle' })
    assert.deepEqual(
      (await heard()).map(({ presence }) => presence.website),
      [
        { client: 'website', pushable: false, status: 'active', timestamp: came },
        { client: 'website', pushable: false, status: 'idle', timestamp: seconds },
      ],
    )
  })

  test('a user who becomes invisible is offline at once', async () => {
    const server = await parley()
    const [user, observer] = [await server.newUser(), server.as('guest')]
    await report(user)
    const heard = await observer.listen(['presence'])
    await user.must('PATCH', '/settings', { presence_enabled: false })
    const { presence } = await observer.must('GET', `/users/${user.userId}/presence`)
    assert.deepEqual(presence.aggregated, { status: 'offline', timestamp: seconds - 201 })
    const told = (await heard()).map((event) => [event.user_id, event.presence.website.timestamp])
    assert.deepEqual(told, [[user.userId, seconds - 201]])
    await user.must('PATCH', '/settings', { presence_enabled: true })
    await user.must('PATCH', '/settings', { presence_enabled: false })
    assert.deepEqual(await heard(), [], 'who is offline already is not announced')
  })

  test('one presence, by ID and address: active, idle, then offline', async () => {
    const server = await parley()
    const [user, observer] = [await server.newUser(), server.as('guest')]
    await report(user)
    const reported = seconds
    const read = async (name: number | string) => (await observer.must('GET', `/users/${name}/presence`)).presence
    const is = (status: string, timestamp: number) => ({
      website: { status, timestamp },
      aggregated: { status, timestamp },
    })
    assert.deepEqual(await read(user.userId), is('active', reported))
    seconds += 100
    await report(user, { status: 'idle' })
    assert.deepEqual(await read(user.email), is('idle', reported + 100))
    seconds += 201
    assert.deepEqual(await read(user.userId), is('offline', reported + 100))
    const refusal = async (name: number | string) => (await observer.get(`/users/${name}/presence`)).body.msg
    assert.equal(await refusal(server.as('bot').userId), 'Presence is not supported for bot users.')
    assert.equal(await refusal('nobody@parley.example'), 'No such user')
  })
})

onEachDatabase('presences of many', (dialect) => {
  const parley = sharedParley(dialect)

  test('nothing is announced with more than 100 active users', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const [observer, last] = [await server.newUser(), await server.newUser()]
    const { members } = await owner.must('GET', '/users')
    const heard = await observer.listen(['presence'])
    const fill = Array.from({ length: 100 - members.length }, (_, index) => ({
      email: `filler-${index}@parley.example`,
      password: 'correct horse',
      full_name: `Filler ${index}`,
    }))
    await Promise.all(fill.map((account) => owner.must('POST', '/users', account)))
    await last.must('POST', '/users/me/presence', { status: 'active' })
    const oneMore = await server.newUser()
    await oneMore.must('POST', '/users/me/presence', { status: 'active' })
    assert.deepEqual(
      (await heard()).map(({ user_id }) => user_id),
      [last.userId],
    )
  })
})
