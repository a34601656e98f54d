import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiClient, TestServer } from '../../server/testing.ts'
import { onEachDatabase } from '../../server/testing.ts'
import { limitedParley, newChannel, newGuest, unknownEntry, unsubscribe } from './limited-visibility-testing.ts'

interface WireUser {
  readonly user_id: number
  readonly avatar_url: string
  readonly [field: string]: unknown
}

const entryOf = (members: readonly WireUser[], { userId }: ApiClient) => members.find((one) => one.user_id === userId)

/** Creates a guest, a user who shares a channel with them, and a stranger. */
async function people(server: TestServer) {
  const [guest, known] = [await newGuest(server), await server.newUser()]
  const stranger = await server.newUser()
  const channel = await newChannel(server, [guest, known])
  return { guest, known, stranger, channel }
}

onEachDatabase('guests who see only those with whom they share a conversation', (dialect) => {
  const parley = limitedParley(dialect)

  test('GET /users and POST /register: an entry without data, or none for clients that know such lists', async () => {
    const server = await parley()
    const { guest, known, stranger } = await people(server)
    await server.as('owner').must('DELETE', `/users/${stranger.userId}`)
    const lists = {
      get: (await guest.must('GET', '/users', { client_gravatar: false })).members,
      asked: (await guest.must('GET', '/users', { user_ids: [stranger.userId, known.userId, 99_999] })).members,
      register: (await guest.must('POST', '/register', { fetch_event_types: ['realm_user'] })).realm_users,
    }
    for (const [name, members] of Object.entries(lists)) {
      const { avatar_url, profile_data, ...entry } = entryOf(members, stranger) as WireUser
      assert.deepEqual(entry, unknownEntry(server, stranger), name)
      assert.match(avatar_url, /^https:\/\/secure\.gravatar\.com\//)
      assert.deepEqual(profile_data ?? {}, {})
      assert.equal(entryOf(members, known)?.email, known.email, name)
    }
    assert.equal(lists.asked.length, 2)
    const capable = await guest.must('POST', '/register', {
      fetch_event_types: ['realm_user'],
      client_capabilities: { notification_settings_null: true, user_list_incomplete: true },
    })
    const listed = [...capable.realm_users, ...capable.realm_non_active_users].map((one: WireUser) => one.user_id)
    for (const one of [guest, known, server.as('bot')]) assert.ok(listed.includes(one.userId))
    assert.ok(!listed.includes(stranger.userId))
    assert.ok(capable.cross_realm_bots.length > 0)
    const member = await server.newUser()
    const { members } = await member.must('GET', '/users')
    assert.equal(entryOf(members, stranger)?.email, stranger.email, 'members see everybody')
    await server.as('owner').must('DELETE', `/users/${known.userId}`)
    await guest.must('GET', `/users/${known.userId}`) // Deactivated people stay in sight.
  })

  test('a hidden user is answered like a nonexistent one, by ID and by address (DIFF-UNSEEN)', async () => {
    const server = await parley()
    const { guest, known, stranger, channel } = await people(server)
    const { stream_id } = await guest.must('GET', '/get_stream_id', { stream: channel })
    const nobody = { userId: 99_999, email: 'nobody@parley.example' }
    type Call = readonly [method: string, path: string, parameters?: Record<string, unknown>]
    const found = (operator: string, operand: unknown): Call => {
      return ['GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [[operator, operand]] }]
    }
    const calls: readonly ((one: { userId: number; email: string }) => Call)[] = [
      ({ userId }) => ['GET', `/users/${userId}`],
      ({ email }) => ['GET', `/users/${email}`],
      ({ userId }) => ['GET', `/users/${userId}/presence`],
      ({ email }) => ['GET', `/users/${email}/presence`],
      ({ userId }) => ['GET', `/users/${userId}/status`],
      ({ userId }) => ['GET', `/users/${userId}/subscriptions/${stream_id}`],
      ({ userId }) => ['GET', `/users/${userId}/channels`],
      ({ userId }) => ['GET', `/user_groups/6/members/${userId}`],
      ({ userId }) => ['POST', `/users/me/muted_users/${userId}`],
      ({ userId }) => ['DELETE', `/users/me/muted_users/${userId}`],
      ({ userId }) => ['POST', '/typing', { type: 'direct', op: 'start', to: [userId] }],
      ({ userId }) => ['POST', '/messages', { type: 'direct', to: [userId, guest.userId], content: 'Hello' }],
      ({ email }) => ['POST', '/messages', { type: 'direct', to: [email], content: 'Hello' }],
      ({ userId }) => ['POST', '/drafts', { drafts: [{ type: 'private', to: [userId], topic: '', content: 'x' }] }],
      ...['sender', 'dm', 'dm-including', 'mentions'].flatMap((operator) => [
        ({ userId }: { userId: number }): Call => found(operator, operator === 'dm' ? [userId] : userId),
        ({ email }: { email: string }): Call => found(operator, email),
      ]),
    ]
    for (const call of calls) {
      const plain = async (one: { userId: number; email: string }) => {
        const [method, path, parameters = {}] = call(one)
        const { status, body } = await guest.request(method, path, parameters)
        const said = JSON.stringify(body).replaceAll(String(one.userId), 'ID').replaceAll(one.email, 'ADDRESS')
        return { call: call(nobody).slice(0, 2), status, said }
      }
      const answer = await plain(stranger)
      assert.deepEqual(answer, await plain(nobody))
      assert.equal(answer.status, 400)
    }
    for (const path of [known.userId, known.email, server.as('bot').userId, guest.userId]) {
      await guest.must('GET', `/users/${path}`)
    }
    const host = new URL(server.url).hostname
    assert.equal((await guest.get(`/users/user${stranger.userId}@${host}`)).status, 400)
  })

  test('names of hidden people stay text', async () => {
    const server = await parley()
    const { guest, known, stranger } = await people(server)
    const nameOf = async ({ userId }: ApiClient) =>
      (await server.as('owner').must('GET', `/users/${userId}`)).user.full_name
    const render = async (content: string) => (await guest.must('POST', '/messages/render', { content })).rendered
    assert.match(await render(`@**${await nameOf(known)}**`), /data-user-id/)
    const name = await nameOf(stranger)
    for (const content of [`@**${name}**`, `@**${name}|${stranger.userId}**`, `@_**|${stranger.userId}**`]) {
      assert.doesNotMatch(await render(content), /data-user-id/)
    }
  })

  test('messages of hidden senders have only their IDs', async () => {
    const server = await parley()
    const { guest, known, stranger, channel } = await people(server)
    const id = await stranger.send(channel)
    const other = await known.send(channel)
    const { messages } = await guest.must('GET', '/messages', { message_ids: [id, other] })
    const { email, full_name } = unknownEntry(server, stranger)
    const senderOf = ({ sender_id, sender_email, sender_full_name }: Record<string, unknown>) => [
      sender_id,
      sender_email,
      sender_full_name,
    ]
    assert.deepEqual(senderOf(messages[0]), [stranger.userId, email, full_name])
    assert.equal(messages[1].sender_email, known.email)
    const { message } = await guest.must('GET', `/messages/${id}`)
    assert.deepEqual(senderOf(message), [stranger.userId, email, full_name])
    assert.doesNotMatch(JSON.stringify([messages[0], message]), new RegExp(stranger.email))
  })

  test('messages about subscriptions do not name hidden people', async () => {
    const server = await parley()
    const [guest, member] = [await newGuest(server), await server.newUser()]
    const channel = await newChannel(server, [await server.newUser()])
    const principals = [guest.userId, member.userId]
    await server.as('admin').must('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }], principals })
    const [told, named] = [await guest.newest(), await member.newest()]
    assert.equal(told.at(-1)?.content, `You were subscribed to the channel #**${channel}**.`)
    assert.match(named.at(-1)?.content, /^@_\*\*.* subscribed you to the channel/)
  })

  test('presences and receipts contain visible people (DIFF-UNSEEN-PRESENCE)', async () => {
    const server = await parley()
    const { guest, known, stranger, channel } = await people(server)
    const id = await guest.send(channel)
    for (const one of [known, stranger]) {
      await one.must('POST', '/users/me/presence', { status: 'active' })
      await one.must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    }
    const all = await guest.must('GET', '/realm/presence')
    const isThere = [known, stranger].map((one) => one.email in all.presences)
    assert.deepEqual(isThere, [true, false])
    const { user_ids } = await guest.must('GET', `/messages/${id}/read_receipts`)
    assert.deepEqual(user_ids, [known.userId])
  })

  test('a hidden user who was muted can be unmuted', async () => {
    const server = await parley()
    const { guest, known, channel } = await people(server)
    await guest.must('POST', `/users/me/muted_users/${known.userId}`)
    await unsubscribe(server, channel, [known])
    await guest.must('DELETE', `/users/me/muted_users/${known.userId}`)
    assert.equal((await guest.delete(`/users/me/muted_users/${known.userId}`)).body.msg, 'No such user')
  })
})
