import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /users/{user_id} and PATCH /users/{email}', (dialect) => {
  const parley = sharedParley(dialect)
  const change = (actor: ApiClient, user: number | string, parameters: object) =>
    actor.request('PATCH', `/users/${encodeURIComponent(user)}`, { ...parameters })
  const refusal = async (actor: ApiClient, user: number | string, parameters: object) => {
    const { status, body } = await change(actor, user, parameters)
    return [status, body.code, body.msg]
  }
  const listen = (user: ApiClient, parameters: object = {}) =>
    user.must('POST', '/register', { fetch_event_types: [], ...parameters })
  const heard = async (user: ApiClient, { queue_id, last_event_id }: { queue_id: string; last_event_id: number }) =>
    (await user.must('GET', '/events', { queue_id, last_event_id, dont_block: true })).events.map(
      ({ id: _, ...event }: { id: number }) => event,
    )
  const OWNERS_ONLY = [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner']
  const BAD = (message: string) => [400, 'BAD_REQUEST', message]

  test('new_email: why it is refused, and the key, which works with the new address alone (USER-UPD-10, USER-UPD-16)', async () => {
    const server = await parley()
    const [owner, user, other] = [server.as('owner'), await server.newUser(), await server.newUser()]
    const email = `${server.unique('moved').replace(' ', '-')}@parley.example`
    assert.deepEqual(await refusal(server.as('admin'), user.userId, { new_email: email }), OWNERS_ONLY)
    await owner.must('PATCH', `/users/${other.userId}`, { role: 100 })
    const mayNot = BAD('User not authorized to change user emails')
    assert.deepEqual(await refusal(other, user.userId, { new_email: email, full_name: 'Nobody' }), mayNot)
    assert.equal((await change(other, user.userId, { new_email: ` ${user.email} ` })).status, 200, 'no change')
    await owner.must('PATCH', `/users/${other.userId}`, { role: 400 })
    const refused = (new_email: string) => refusal(owner, user.userId, { new_email })
    assert.deepEqual(await refused(other.email.toUpperCase()), BAD('Email is already in use.'))
    assert.deepEqual(await refused('no address'), BAD('Enter a valid e-mail address.'))
    assert.notEqual((await user.must('GET', '/users/me')).full_name, 'Nobody')
    await change(owner, user.email, { new_email: ` ${email} ` })
    assert.equal((await user.get('/users/me')).body.code, 'INVALID_API_KEY', 'the former address names nobody')
    const login = await user.must('POST', '/fetch_api_key', { username: email, password: 'correct horse' })
    assert.equal(login.api_key, user.apiKey)
  })

  test('refuse whoever is no administrator before unknown users, and invalid values (DIFF-PRINCIPAL)', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    for (const id of [user.userId, 'nobody@parley.example']) {
      const refused = [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']
      assert.deepEqual(await refusal(server.as('member'), id, { full_name: 'No Name' }), refused)
    }
    for (const [parameters, msg] of [
      [{ role: 500 }, 'Invalid role'],
      [{ full_name: 'x' }, 'Name too short!'],
      [{ full_name: 'a*b', role: 300 }, 'Invalid characters in name!'],
    ] as const) {
      assert.deepEqual(await refusal(admin, user.userId, parameters), BAD(msg))
    }
    assert.equal((await user.must('GET', '/users/me')).role, 400)
  })

  test('one owner remains, also of two who unmake each other (USER-UPD-7); no guest becomes an administrator', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const only = 'The owner permission cannot be removed from the only organization owner.'
    assert.deepEqual(await refusal(owner, owner.userId, { role: 200 }), BAD(only))
    assert.equal((await change(owner, user.userId, { role: 100 })).status, 200)
    const answers = await Promise.all([
      change(user, owner.userId, { role: 200 }),
      change(owner, user.userId, { role: 200 }),
    ])
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const stays = answers[0]?.status === 200 ? user : owner
    await change(stays, owner.userId, { role: 100 })
    await change(owner, user.userId, { role: 600 })
    for (const role of [100, 200]) {
      assert.deepEqual(await refusal(owner, user.userId, { role }), BAD('Guests cannot be organization administrators'))
    }
  })

  test('what one may hear follows the role at the position of each event', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const to = server.unique('sight')
    await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: to }] })
    const say = (content: string) => owner.must('POST', '/messages', { type: 'channel', to, topic: 't', content })
    const queue = await listen(user, { event_types: ['message'], all_public_streams: true })
    await say('to a member')
    await change(owner, user.userId, { role: 600 })
    await say('to a guest')
    await change(owner, user.userId, { role: 400 })
    await say('to a member again')
    assert.deepEqual(
      (await heard(user, queue)).map((event: { message: { content: string } }) => event.message.content),
      ['to a member', 'to a member again'],
    )
  })
})
