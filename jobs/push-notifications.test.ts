import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { RateLimitHitError } from '../domain/errors.ts'
import { opened, startRelay } from '../push/relay-testing.ts'
import { Ground } from '../server/ground-testing.ts'
import { type ApiClient, onEachDatabase, sharedParley, type TestServer } from '../server/testing.ts'
import type { Turn } from './lease.ts'
import { pushNotifications } from './push-notifications.ts'

const relay = await startRelay()
const { url: pushRelayUrl } = relay
after(() => relay.stop())
beforeEach(() => {
  Object.assign(relay, { status: 200, refusedToken: undefined, taken: [] })
})

const key = Buffer.alloc(32, 9)
const push_key = Buffer.concat([Buffer.from([0x31]), key]).toString('base64')
let tokens = 0

/** Registers a device of `user` for notifications. @returns the id of its token */
async function registerDevice(user: ApiClient): Promise<string> {
  const { device_id } = await user.must('POST', '/register_client_device')
  tokens += 1
  const token_id = Buffer.from(String(tokens).padStart(8, '0')).toString('base64')
  const token = { token_kind: 'fcm', token_id, bouncer_public_key: 'x', encrypted_push_registration: 'x' }
  await user.must('POST', '/mobile_push/register', { device_id, push_key_id: 1, push_key, ...token })
  return token_id
}

/** Notifications that the relay has received, decrypted as the devices do it. */
async function told() {
  const all = relay.taken.filter(({ path }) => path === '/relay/notify').flatMap(({ body }) => body.notifications)
  return Promise.all(
    all.map(async ({ token_id, encrypted_data }) => ({ token_id, ...(await opened(encrypted_data, key)) })),
  )
}

onEachDatabase('devices', (dialect) => {
  const parley = sharedParley(dialect, { pushRelayUrl })
  const direct = async (from: ApiClient, to: ApiClient, content: string): Promise<number> =>
    (await from.must('POST', '/messages', { type: 'direct', to: [to.userId], content })).id
  /** Waits until all earlier notifications are sent: sends one to a new device, which comes after them. */
  const settle = async (server: TestServer) => {
    const user = await server.newUser()
    const token = await registerDevice(user)
    await direct(server.as('owner'), user, 'last')
    const isThere = () =>
      relay.taken.some(({ path, body }) => path === '/relay/notify' && JSON.stringify(body).includes(token))
    while (!isThere()) await relay.arrivals(1)
    return (await told()).filter(({ token_id }) => token_id !== token)
  }
  const fiveUsers = async ({ newUser }: TestServer) =>
    [await newUser(), await newUser(), await newUser(), await newUser(), await newUser()] as const

  test('are notified of a direct message with all that they show of it, and told to remove it when it was read', async () => {
    const server = await parley()
    const [user, sender] = [await server.newUser(), await server.newUser()]
    const tokenIds = [await registerDevice(user), await registerDevice(user)]
    await registerDevice(sender)
    const message_id = await direct(sender, user, '**Lunch?** :tada:')
    const first = await settle(server)
    assert.deepEqual(
      first.map(({ token_id }) => token_id),
      tokenIds,
      'of the receiver alone',
    )
    const { realm_url, realm_name } = await user.must('POST', '/register', { event_types: ['realm'] })
    const { message } = await user.must('GET', `/messages/${message_id}`)
    const { token_id: _, ...said } = first[0]
    assert.deepEqual(said, {
      type: 'message',
      realm_url,
      realm_name,
      user_id: user.userId,
      message_id,
      time: message.timestamp,
      sender_id: sender.userId,
      sender_full_name: message.sender_full_name,
      sender_avatar_url: message.avatar_url,
      recipient_type: 'direct',
      recipient_count: 2,
      recipient_user_ids: [user.userId, sender.userId].sort((a, b) => Number(a) - Number(b)),
      content: 'Lunch? 🎉',
    })

    relay.taken = []
    await user.must('POST', '/messages/flags', { messages: [message_id], op: 'add', flag: 'read' })
    const second = await settle(server)
    assert.deepEqual(
      second.map(({ token_id, type, message_ids, time }) => [token_id, type, message_ids, Number.isInteger(time)]),
      tokenIds.map((token_id) => [token_id, 'remove', [message_id], true]),
    )
    relay.taken = []
    await user.must('POST', '/messages/flags', { messages: [message_id], op: 'remove', flag: 'read' })
    await user.must('POST', '/messages/flags', { messages: [message_id], op: 'add', flag: 'read' })
    assert.deepEqual(await settle(server), [], 'once')
  })

  test('are notified of channel messages as their owners want, and of deletions', async () => {
    const server = await parley()
    const [sender, mentioned, asking, muting, muter] = await fiveUsers(server)
    const names = new Map<string, string>()
    for (const [name, user] of Object.entries({ mentioned, asking, muting, muter, sender })) {
      names.set(await registerDevice(user), name)
    }
    const { name: channel } = await server.newChannel([server.as('owner'), sender, mentioned, asking, muting, muter])
    const { stream_id } = await sender.must('GET', '/get_stream_id', { stream: channel })
    const set = (user: ApiClient, property: string, value: boolean) =>
      user.must('POST', '/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id, property, value }],
      })
    for (const user of [asking, muting, muter]) await set(user, 'push_notifications', true)
    await set(muting, 'is_muted', true)
    await muter.must('POST', `/users/me/muted_users/${sender.userId}`)
    // The bot, which does not follow the channel, changes nothing for those who do.
    const bot = await server.newBot(sender)
    const content = `@**|${mentioned.userId}** and @**|${bot.userId}** look`
    const sent = { type: 'stream', to: channel, topic: 'soup', content }
    const { id: message_id } = await sender.must('POST', '/messages', sent)
    const first = await settle(server)
    assert.deepEqual(
      first.map(({ token_id }) => names.get(token_id)),
      ['mentioned', 'asking'],
    )
    const { recipient_type, channel_id, channel_name, topic } = first[0]
    assert.deepEqual([recipient_type, channel_id, channel_name, topic], ['channel', stream_id, channel, 'soup'])

    relay.taken = []
    await server.as('owner').must('DELETE', `/messages/${message_id}`)
    assert.deepEqual(
      (await settle(server)).map(({ token_id, type, message_ids }) => [names.get(token_id), type, message_ids]),
      [
        ['mentioned', 'remove', [message_id]],
        ['asking', 'remove', [message_id]],
      ],
    )
  })

  test('keep a message that moves while their owner can read it', async () => {
    const server = await parley()
    const [sender, stays, loses] = await fiveUsers(server)
    const tokenIds = [await registerDevice(stays), await registerDevice(loses)]
    const from = await server.newChannel([server.as('owner'), sender, stays, loses])
    const to = await server.newChannel([server.as('owner'), stays], { invite_only: true })
    const content = `@**|${stays.userId}** @**|${loses.userId}** look`
    const sent = { type: 'stream', to: from.id, topic: 'soup', content }
    const { id } = await sender.must('POST', '/messages', sent)
    assert.equal((await settle(server)).length, 2)
    relay.taken = []
    await server.as('owner').must('PATCH', `/messages/${id}`, {
      stream_id: to.id,
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    })
    assert.deepEqual(
      (await settle(server)).map(({ token_id, type, message_ids }) => [token_id, type, message_ids]),
      [[tokenIds[1], 'remove', [id]]],
    )
  })

  test('of guests are not told of senders whom they cannot see', async () => {
    const server = await parley()
    const [guest, stranger, owner] = [await server.newUser(), await server.newUser('Secret Sender'), server.as('owner')]
    await registerDevice(guest)
    await owner.must('PATCH', `/users/${guest.userId}`, { role: 600 })
    const { name: channel } = await server.newChannel([server.as('owner'), guest])
    for (const one of [guest, stranger]) {
      const { subscriptions } = await one.must('GET', '/users/me/subscriptions')
      const names = subscriptions.map(({ name }: { name: string }) => name).filter((name: string) => name !== channel)
      if (names.length > 0) await one.must('DELETE', '/users/me/subscriptions', { subscriptions: names })
    }
    const limit = (group: number) => owner.must('PATCH', '/realm', { can_access_all_users_group: { new: group } })
    const content = `@**|${guest.userId}** look`
    await limit(6)
    try {
      await stranger.must('POST', '/messages', { type: 'stream', to: channel, topic: 'soup', content })
      const [first] = await settle(server)
      assert.deepEqual([first.sender_id, first.sender_full_name], [stranger.userId, 'Unknown user'])
      assert.doesNotMatch(JSON.stringify(first), /secret/i)
    } finally {
      await limit(7)
    }
  })

  test('wait while the service fails; messages read, lost or deleted meanwhile are not notified', async () => {
    const server = await parley()
    const [sender, reads, leaves, stays, gone] = await fiveUsers(server)
    const tokenIds: string[] = []
    for (const user of [reads, leaves, stays, gone]) tokenIds.push(await registerDevice(user))
    const { name: channel } = await server.newChannel([server.as('owner'), sender, leaves], { invite_only: true })
    relay.status = 500
    const failed = relay.arrivals(1)
    const read = await direct(sender, reads, 'To be read.')
    await failed
    const content = `@**|${leaves.userId}** a secret`
    await sender.must('POST', '/messages', { type: 'stream', to: channel, topic: 'x', content })
    await direct(sender, gone, 'To nobody.')
    const deleted = await direct(server.as('owner'), stays, 'Never mind.')
    const kept = await direct(sender, stays, 'Still here.')
    await reads.must('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
    await server
      .as('owner')
      .must('DELETE', '/users/me/subscriptions', { subscriptions: [channel], principals: [leaves.userId] })
    await server.as('owner').must('DELETE', `/users/${gone.userId}`)
    await server.as('owner').must('DELETE', `/messages/${deleted}`)
    Object.assign(relay, { status: 200, taken: [] })
    assert.deepEqual(
      (await settle(server)).map(({ token_id, type, message_id }) => [token_id, type, message_id]),
      [[tokenIds[2], 'message', kept]],
    )
  })

  test('that the service refuses do not block others', async () => {
    const server = await parley()
    const user = await server.newUser()
    const [refused, taken] = [await registerDevice(user), await registerDevice(user)]
    relay.refusedToken = refused
    await direct(server.as('owner'), user, 'Both?')
    while (
      !relay.taken.some(({ body }) => body.notifications?.length === 1 && body.notifications[0].token_id === taken)
    ) {
      await relay.arrivals(1)
    }
    assert.deepEqual((await settle(server)).filter(({ token_id }) => token_id === taken).length, 2)
  })

  test('are not notified of messages from before their registration', async () => {
    const server = await parley()
    const user = await server.newUser()
    const holder = await server.newUser()
    await registerDevice(holder)
    relay.status = 500
    const failed = relay.arrivals(1)
    await direct(server.as('owner'), holder, 'The service fails.')
    await failed
    await direct(server.as('owner'), user, 'Before.')
    await server.inDatabase(({ knex }) =>
      knex('message')
        .where({ sender_id: server.as('owner').userId })
        .decrement('sent_at', 5),
    )
    relay.status = 200
    await registerDevice(user)
    const all = await settle(server)
    assert.deepEqual(
      all.filter(({ user_id }) => user_id === user.userId),
      [],
    )
  })
})

onEachDatabase('a restart', (dialect) => {
  test('loses no notification, repeats none that was delivered, and finds the log that it needs', async (t) => {
    const ground = await Ground.make(t, dialect, { pushRelayUrl })
    let server = await ground.start()
    const member = server.as('member')
    await registerDevice(member)
    const send = async (content: string): Promise<number> =>
      (await server.as('owner').must('POST', '/messages', { type: 'direct', to: [member.userId], content })).id
    const first = relay.arrivals(1)
    await send('one')
    await first
    relay.status = 'hang'
    // The service is given all the time that it wants: a stop that waits for it never ends.
    const patience = t.mock.method(AbortSignal, 'timeout', () => new AbortController().signal)
    const second = relay.arrivals(1)
    const waits = await send('two')
    await second
    await server.parley.stop()
    patience.mock.restore()
    Object.assign(relay, { status: 200, taken: [] })
    const third = relay.arrivals(1)
    server = await ground.start()
    await third
    const fourth = relay.arrivals(1)
    const last = await send('three')
    await fourth
    assert.deepEqual(
      (await told()).map(({ message_id }) => message_id),
      [waits, last],
    )
  })
})

test('notifications are sent although a clock was ahead while the service failed', async () => {
  let [now, monotonic] = [1e12 + 3600_000, 0]
  const read = {
    organization: { isDeactivated: false },
    pushedMessages: { cursor: () => Promise.reject(new RateLimitHitError(1)) },
  }
  const job = pushNotifications({
    db: { read, onCommitted: () => undefined },
    clock: { now: () => now, monotonic: () => monotonic },
    log: pino({ enabled: false }),
  } as never)
  await job.run({ signal: new AbortController().signal } as Turn)
  assert.equal(await job.isDue?.(), false)
  now = 1e12
  monotonic = 1000
  assert.deepEqual([await job.isDue?.(), await job.wakesUp?.next()], [true, 1e9])
})
