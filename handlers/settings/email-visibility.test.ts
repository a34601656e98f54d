import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const EVERYBODY = 1
const ADMINISTRATORS = 3
const NOBODY = 4

onEachDatabase('email_address_visibility', (dialect) => {
  const parley = sharedParley(dialect)

  const show = (user: ApiClient, level: number) => user.must('PATCH', '/settings', { email_address_visibility: level })
  const listen = async (user: ApiClient) => {
    const events = await user.listen(['realm_user', 'presence', 'message'])
    return async () => (await events()).map(({ person }) => person)
  }
  const found = (people: { user_id: number }[], { userId }: ApiClient) =>
    people.find((person) => person.user_id === userId) as Record<string, unknown> | undefined

  test('people who may not see the address get a placeholder and the avatar (DIFF-HIDDEN-PICTURE)', async () => {
    const server = await parley()
    const user = await server.newUser()
    await show(user, ADMINISTRATORS)
    const standIn = `user${user.userId}@127.0.0.1`
    const digest = createHash('md5').update(user.email.toLowerCase()).digest('hex')
    const client_gravatar = true
    const viewer = server.as('moderator')
    const { members } = await viewer.must('GET', '/users', { client_gravatar })
    const { user: one } = await viewer.must('GET', `/users/${standIn}`, { client_gravatar })
    const state = await viewer.must('POST', '/register', { fetch_event_types: ['realm_user'], client_gravatar })
    for (const person of [found(members, user), one, found(state.realm_users, user)]) {
      assert.deepEqual([person.email, person.delivery_email], [standIn, null])
      assert.ok(person.avatar_url, 'who knows no address computes no picture')
      assert.ok(!person.avatar_url.includes(digest), 'the digest tells who guesses')
    }
    assert.equal((await viewer.get(`/users/${user.email}`)).status, 400, 'nor is the user found by it')
    const own = await user.must('GET', '/users/me')
    assert.deepEqual([own.email, own.delivery_email], [standIn, user.email])
  })

  test('a change of a hidden address is announced to those who see it', async () => {
    const server = await parley()
    const user = await server.newUser()
    await show(user, ADMINISTRATORS)
    const [admin, member] = [server.as('admin'), server.as('member')]
    const queues = [await listen(admin), await listen(member), await listen(user)] as const
    await show(user, 5)
    assert.deepEqual(await queues[0](), [], 'who sees it anyway')
    const email = `moved.${user.email}`
    await user.must('PATCH', '/settings', { email })
    const person = { user_id: user.userId, delivery_email: email }
    assert.deepEqual(await queues[0](), [person])
    assert.deepEqual(await queues[1](), [])
    const { members } = await member.must('GET', '/users')
    assert.deepEqual(found(members, user)?.delivery_email, null)
  })

  test('a new address is never told to those from whom the same request hides it, nor the old one to others', async () => {
    const server = await parley()
    const user = await server.newUser()
    const queue = await listen(server.as('guest'))
    const told = async () => (await queue()).map((person) => [person.delivery_email, person.new_email])
    const hidden = `hidden.${user.email}`
    await user.must('PATCH', '/settings', { email: hidden, email_address_visibility: 5 })
    const picture = [undefined, undefined]
    assert.deepEqual(await told(), [[null, undefined], [undefined, `user${user.userId}@127.0.0.1`], picture])
    const again = new ApiClient(server.url, { email: hidden, api_key: user.apiKey, user_id: user.userId })
    const email = `shown.${user.email}`
    await again.must('PATCH', '/settings', { email, email_address_visibility: EVERYBODY })
    assert.deepEqual(await told(), [[email, undefined], [undefined, email], picture])
  })

  test('a change of role reveals and hides addresses, with events (DIFF-ADDRESSES-BY-ROLE)', async () => {
    const server = await parley()
    const [hiding, hidden, viewer, owner] = [
      await server.newUser(),
      await server.newUser(),
      await server.newUser(),
      server.as('owner'),
    ]
    await show(hiding, 5)
    await show(hidden, NOBODY)
    const queue = await listen(viewer)
    const addresses = async () => {
      const ids = [hiding.userId, hidden.userId]
      return (await queue()).filter(
        (person: Record<string, unknown>) => 'delivery_email' in person && ids.includes(Number(person.user_id)),
      )
    }
    for (const [role, expected] of [
      [300, [hiding.email]],
      [200, []],
      [400, [null]],
      [600, []],
    ] as const) {
      await owner.must('PATCH', `/users/${viewer.userId}`, { role })
      assert.deepEqual(
        await addresses(),
        expected.map((delivery_email) => ({ user_id: hiding.userId, delivery_email })),
        String(role),
      )
    }
  })

  test('a placeholder is nobody’s address, and addresses of bots are never hidden', async () => {
    const server = await parley()
    const [user, other, sender, admin] = [
      await server.newUser(),
      await server.newUser(),
      await server.newUser(),
      server.as('admin'),
    ]
    await show(user, NOBODY)
    const standIn = `user${user.userId}@127.0.0.1`
    // Simulates data from before such addresses were refused.
    const values = [`User${user.userId}@127.0.0.1`, standIn, other.userId]
    await server.inDatabase(async (session) =>
      session.run('update user set email = ?, email_key = ? where id = ?', values),
    )
    assert.equal((await sender.must('GET', `/users/${standIn}`)).user.user_id, user.userId)
    const dm = await sender.must('POST', '/messages', { type: 'direct', to: [standIn], content: 'For one.' })
    const { message } = await sender.must('GET', `/messages/${dm.id}`)
    const ids = message.display_recipient.map(({ id }: { id: number }) => id)
    assert.deepEqual(ids.toSorted(), [user.userId, sender.userId].toSorted())
    await admin.must('PATCH', '/realm/user_settings_defaults', { email_address_visibility: 3 })
    try {
      const queues = [await listen(admin), await listen(sender)] as const
      const made = await server.newUser()
      const own = await made.must('GET', '/users/me')
      assert.deepEqual([own.email, own.delivery_email], [`user${made.userId}@127.0.0.1`, made.email])
      const seen = await Promise.all([queues[0](), queues[1]()])
      assert.deepEqual(
        seen.map((people) => found(people, made)?.delivery_email),
        [made.email, null],
      )
      const bot = await sender.must('POST', '/bots', {
        full_name: server.unique('Bot'),
        short_name: server.unique('b').replaceAll(' ', '-'),
      })
      const { user: known } = await server.as('guest').must('GET', `/users/${bot.user_id}`)
      assert.deepEqual(known.email, known.delivery_email)
    } finally {
      await admin.must('PATCH', '/realm/user_settings_defaults', { email_address_visibility: 1 })
    }
  })
})
