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

  test('name and role, by id, address and stand-in, told to everybody (USER-UPD-3, USER-UPD-4)', async () => {
    const server = await parley()
    const [admin, observer, user] = [server.as('admin'), server.as('guest'), await server.newUser()]
    const queue = await listen(observer, { event_types: ['realm_user'] })
    const [one, two] = [server.unique('Name'), server.unique('Name')]
    const { status, body } = await change(admin, user.userId, { full_name: ` ${one} `, role: 300 })
    assert.deepEqual([status, body], [200, { result: 'success', msg: '' }])
    await change(admin, user.email, { full_name: two })
    await change(admin, `user${user.userId}@${new URL(server.url).hostname}`, { role: 600 })
    const { user: now } = await observer.must('GET', `/users/${user.userId}`)
    assert.deepEqual([now.full_name, now.role, now.is_guest], [two, 600, true])
    const person = (changed: object) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: user.userId, ...changed },
    })
    assert.deepEqual(
      await heard(observer, queue),
      [{ full_name: one }, { role: 300 }, { full_name: two }, { role: 600 }].map(person),
    )
  })

  test('new_email by owners who may change addresses (USER-UPD-9 to USER-UPD-11, USER-UPD-16)', async () => {
    const server = await parley()
    const [owner, user, observer] = [server.as('owner'), await server.newUser(), server.as('guest')]
    const queue = await listen(observer, { event_types: ['realm_user'] })
    const email = `${server.unique('moved').replace(' ', '-')}@parley.example`
    assert.deepEqual(await refusal(server.as('admin'), user.userId, { new_email: email }), OWNERS_ONLY)
    const other = await server.newUser()
    await owner.must('PATCH', `/users/${other.userId}`, { role: 100 })
    const mayNot = BAD('User not authorized to change user emails')
    assert.deepEqual(await refusal(other, user.userId, { new_email: email, full_name: 'Nobody' }), mayNot)
    assert.equal((await change(other, user.userId, { new_email: ` ${user.email} ` })).status, 200, 'no change')
    await owner.must('PATCH', `/users/${other.userId}`, { role: 400 })
    const refused = (new_email: string) => refusal(owner, user.userId, { new_email })
    assert.deepEqual(await refused(other.email.toUpperCase()), BAD('Email is already in use.'))
    assert.deepEqual(await refused('no address'), BAD('Enter a valid e-mail address.'))
    const { user: before } = await observer.must('GET', `/users/${user.userId}`)
    assert.deepEqual([before.delivery_email, before.full_name === 'Nobody'], [user.email, false])
    await change(owner, user.email, { new_email: ` ${email} ` })
    const told = (await heard(observer, queue)).filter(({ person }: { person: { user_id: number } }) => {
      return person.user_id === user.userId
    })
    assert.deepEqual(
      told.slice(0, 2).map(({ person }: { person: object }) => person),
      [
        { user_id: user.userId, delivery_email: email },
        { user_id: user.userId, new_email: email },
      ],
    )
    assert.equal((await user.get('/users/me')).body.code, 'INVALID_API_KEY', 'the former address names nobody')
    const login = await user.must('POST', '/fetch_api_key', { username: email, password: 'correct horse' })
    assert.equal(login.api_key, user.apiKey)
  })

  test('what is the same already, blank or absent is no change (USER-UPD-2, USER-UPD-17)', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    const queue = await listen(user, { event_types: ['realm_user'] })
    const { full_name } = await user.must('GET', '/users/me')
    for (const parameters of [{}, { full_name, role: 400 }, { full_name: ' ' }, { full_name: '' }]) {
      assert.equal((await change(admin, user.userId, parameters)).status, 200)
    }
    assert.deepEqual(await heard(user, queue), [])
  })

  test('refuse whoever is no administrator, unknown users, and invalid values (DIFF-PRINCIPAL)', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    for (const key of ['moderator', 'member', 'guest', 'bot']) {
      const refused = [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']
      assert.deepEqual(await refusal(server.as(key), user.userId, { full_name: 'No Name' }), refused)
      assert.deepEqual(await refusal(server.as(key), 'nobody@parley.example', {}), refused)
    }
    for (const id of [99_999, 'nobody@parley.example']) {
      assert.deepEqual(await refusal(admin, id, { full_name: 'No Name' }), BAD('No such user'))
    }
    assert.deepEqual(await refusal(admin, user.userId, { role: 500 }), BAD('Invalid role'))
    assert.deepEqual(await refusal(admin, user.userId, { role: 'x' }), BAD('role is not an integer'))
    assert.deepEqual(await refusal(admin, user.userId, { full_name: 'x'.repeat(101) }), BAD('Name too long!'))
    assert.deepEqual(await refusal(admin, user.userId, { full_name: 'x' }), BAD('Name too short!'))
    assert.deepEqual(
      await refusal(admin, user.userId, { full_name: 'a*b', role: 300 }),
      BAD('Invalid characters in name!'),
    )
    assert.equal((await user.must('GET', '/users/me')).role, 400)
  })

  test('only owners make and unmake owners; the only one stays (USER-UPD-5 to USER-UPD-7); no guest becomes an administrator', async () => {
    const server = await parley()
    const [owner, admin, user] = [server.as('owner'), server.as('admin'), await server.newUser()]
    const only = 'The owner permission cannot be removed from the only organization owner.'
    assert.deepEqual(await refusal(admin, user.userId, { role: 100 }), OWNERS_ONLY)
    assert.deepEqual(await refusal(admin, owner.userId, { role: 200 }), OWNERS_ONLY)
    assert.deepEqual(await refusal(owner, owner.userId, { role: 200 }), BAD(only))
    assert.equal((await change(owner, user.userId, { role: 100 })).status, 200)
    assert.deepEqual(await refusal(admin, user.userId, { role: 400 }), OWNERS_ONLY)
    // Concurrent requests: one owner remains.
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

  test('what one may see follows the role at the position of each event', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const create = async (invite_only = false): Promise<string> => {
      const name = server.unique('sight')
      await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only })
      return name
    }
    const idOf = async (name: string): Promise<number> =>
      (await owner.must('GET', '/users/me/subscriptions')).subscriptions.find(
        (one: { name: string }) => one.name === name,
      ).stream_id
    const [open, hidden] = [await create(), await create(true)]
    const [openId, hiddenId] = [await idOf(open), await idOf(hidden)]
    const say = (content: string) =>
      owner.must('POST', '/messages', { type: 'channel', to: openId, topic: 't', content })
    const queue = await listen(user, { event_types: ['message', 'stream', 'subscription'], all_public_streams: true })
    await say('to a member')
    await change(owner, user.userId, { role: 600 })
    await say('to a guest')
    await create()
    await change(owner, user.userId, { role: 400 })
    await change(owner, user.userId, { role: 200 })
    await say('to an administrator')
    const events = await heard(user, queue)
    const contents = events.filter(({ type }: { type: string }) => type === 'message')
    assert.deepEqual(
      contents.map((event: { message: { content: string } }) => event.message.content),
      ['to a member', 'to an administrator'],
    )
    const isOfSight = ({ type, op }: { type: string; op?: string }) => type === 'stream' && op !== 'update'
    const ofChannels = events.filter(isOfSight)
    assert.deepEqual(
      ofChannels.map((event: { op: string; stream_ids?: number[]; streams: { stream_id: number }[] }) => {
        const ids = event.streams.map((one) => one.stream_id)
        if (event.stream_ids) assert.deepEqual(ids, event.stream_ids)
        return [event.op, ids.includes(openId), ids.includes(hiddenId)]
      }),
      [
        ['delete', true, false],
        ['create', true, false],
        ['create', false, true],
      ],
    )
    const peers = events.filter(
      ({ type, stream_ids }: { type: string; stream_ids?: number[] }) =>
        type === 'subscription' && stream_ids?.includes(openId),
    )
    assert.deepEqual(peers, [{ type: 'subscription', op: 'peer_add', stream_ids: [openId], user_ids: [owner.userId] }])
    assert.equal((await user.must('GET', '/users/me')).is_admin, true)
  })

  test('administrators manage every bot, others their own', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const register = () => user.must('POST', '/register', { event_types: ['realm_bot'] })
    const queue = await register()
    await change(owner, user.userId, { role: 200 })
    const { realm_bots: bots } = await register()
    await change(owner, user.userId, { role: 300 })
    assert.deepEqual([queue.realm_bots, (await register()).realm_bots], [[], []])
    assert.deepEqual(
      bots.map((bot: { user_id: number }) => bot.user_id),
      [server.as('bot').userId],
    )
    assert.deepEqual(await heard(user, queue), [
      { type: 'realm_bot', op: 'add', bot: bots[0] },
      { type: 'realm_bot', op: 'delete', bot: { user_id: bots[0].user_id } },
    ])
  })
})
