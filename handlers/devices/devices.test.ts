import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MAX_PUSH_TOKEN_LENGTH } from '../../domain/limits.ts'
import { opened, startRelay } from '../../push/relay-testing.ts'
import { ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

const relay = await startRelay()
const { url: pushRelayUrl } = relay
after(() => relay.stop())

const key = Buffer.alloc(32, 7)
const push_key = Buffer.concat([Buffer.from([0x31]), key]).toString('base64')
const token = {
  token_kind: 'fcm',
  token_id: Buffer.alloc(8, 1).toString('base64'),
  bouncer_public_key: 'public',
  encrypted_push_registration: 'for the relay alone',
}
const TEST = '/mobile_push/e2ee/test_notification'

onEachDatabase('devices', (dialect) => {
  const bare = sharedParley(dialect)
  const connected = sharedParley(dialect, { pushRelayUrl })
  const register = (user: ApiClient) => user.must('POST', '/register', { event_types: ['device'] })
  const device = async (user: ApiClient): Promise<number> =>
    (await user.must('POST', '/register_client_device')).device_id

  test('receive what only they can read, one of them or all', async () => {
    const server = await connected()
    const user = await server.newUser()
    const [one, two] = [await device(user), await device(user)]
    const queue = await user.listen(['device'])
    relay.taken = []
    const send = (values: object) => user.must('POST', '/mobile_push/register', { ...values })
    await send({ device_id: one, push_key_id: 1, push_key, ...token })
    await send({ device_id: two, push_key_id: 4_294_967_295, push_key })
    await send({ device_id: two, ...token, token_kind: 'apns' })
    const { realm_uuid } = await user.must('POST', '/register', { event_types: ['realm'] })
    assert.deepEqual(
      relay.taken,
      ['fcm', 'apns'].map((token_kind) => ({ path: '/relay/register', body: { realm_uuid, ...token, token_kind } })),
    )
    const told = await queue()
    const { devices } = await register(user)
    const keyAndToken = (one: Record<string, unknown>) => [one.device_id, one.push_key_id, one.push_token_id]
    assert.deepEqual(told.map(keyAndToken), [
      [one, 1, token.token_id],
      [two, 4_294_967_295, undefined],
      [two, undefined, token.token_id],
    ])
    assert.deepEqual([devices[one].push_key_id, devices[two].push_token_id], [1, token.token_id])
    assert.equal(devices[one].push_token_last_updated_timestamp, told[0].push_token_last_updated_timestamp)

    relay.taken = []
    await user.must('POST', TEST)
    assert.equal(relay.taken[0]?.path, '/relay/notify')
    const [{ encrypted_data }, other] = relay.taken[0]?.body.notifications ?? []
    assert.notEqual(encrypted_data, other.encrypted_data, 'a nonce of its own')
    const { time, ...said } = await opened(encrypted_data, key)
    const { realm_name, realm_url } = await user.must('POST', '/register', { event_types: ['realm'] })
    assert.deepEqual(said, { type: 'test', realm_url, realm_name, user_id: user.userId })
    assert.ok(Number.isInteger(time))
    await server.inDatabase(async (session) => {
      const stored = await session.get<{ push_key_encrypted: string }>('select * from device where id = ?', [one])
      assert.ok(stored?.push_key_encrypted)
      assert.ok(!JSON.stringify(stored).includes(key.toString('base64')), 'no key as it is')
    })
  })

  test('are removed with a new key of their owner, because a thief may have registered them (SEC-KEY-1)', async () => {
    const server = await connected()
    const user = await server.newUser()
    await user.must('POST', '/mobile_push/register', {
      device_id: await device(user),
      push_key_id: 1,
      push_key,
      ...token,
    })
    await user.must('POST', '/users/me/android_push_reg_id', { token: 'old' })
    const { api_key } = await user.must('POST', '/users/me/api_key/regenerate')
    const owner = new ApiClient(server.url, { email: user.email, api_key, user_id: user.userId })
    assert.deepEqual((await register(owner)).devices, {})
    relay.taken = []
    await owner.post(TEST)
    assert.deepEqual(relay.taken, [])
    assert.equal(
      (await owner.delete('/users/me/android_gcm_reg_id', { token: 'old' })).body.msg,
      'Token does not exist',
    )
  })

  test('are told why the service refused a registration, and nothing changes', async () => {
    const server = await connected()
    const user = await server.newUser()
    const device_id = await device(user)
    for (const [status, code, answered] of [
      [500, 'INTERNAL_SERVER_ERROR_ON_BOUNCER', 502],
      [307, 'ADMIN_ACTION_REQUIRED', 403],
      [0, 'FAILED_TO_CONNECT_BOUNCER', 502],
      [400, 'BAD_REQUEST', 400],
    ] as const) {
      relay.status = status
      const given = { device_id, push_key_id: 1, push_key, ...token }
      const { body, ...answer } = await user.post('/mobile_push/register', given)
      assert.deepEqual([answer.status, body.code], [answered, code])
      if (status === 400) assert.equal(body.msg, 'Invalid encrypted_push_registration')
    }
    relay.status = 200
    assert.equal((await register(user)).devices[device_id].push_key_id, null)
  })

  test('register with parameters that belong together, and with no others', async () => {
    const server = await connected()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const device_id = await device(user)
    const { token_kind: _, ...incomplete } = token
    for (const [values, msg] of [
      [{}, /Nothing to register/],
      [{ push_key_id: 1 }, /push_key_id, push_key together/],
      [{ push_key_id: 1, push_key, ...incomplete }, /together/],
      [{ push_key_id: 1, push_key: 'a' }, /push_key is not Base64/],
      [{ push_key_id: 1, push_key: key.toString('base64') }, /Invalid push_key/],
      [{ push_key_id: 1, push_key, ...token, token_id: 'AAAA' }, /Invalid token_id/],
      [{ push_key_id: 4_294_967_296, push_key }, /push_key_id/],
      [token, /no push_key yet/],
      [{ push_key_id: 1, push_key, ...token, token_kind: 'sms' }, /token_kind/],
    ] as const) {
      const { status, body } = await user.post('/mobile_push/register', { device_id, ...values })
      assert.equal(status, 400)
      assert.match(body.msg, msg)
    }
    const theirs = await other.post('/mobile_push/register', { device_id, push_key_id: 1, push_key })
    assert.equal(theirs.body.msg, 'Invalid device_id')
  })

  test('have no push service if none is configured', async () => {
    const server = await bare()
    const user = await server.newUser()
    const device_id = await device(user)
    const registered = await user.post('/mobile_push/register', { device_id, push_key_id: 1, push_key })
    assert.equal(registered.body.code, 'PUSH_SERVICE_NOT_CONFIGURED')
    assert.equal((await user.post(TEST)).body.code, 'NO_ACTIVE_PUSH_DEVICE')
    const change = { push_key_id: 1, push_key_encrypted: 'x', push_token_id: 'x' }
    await server.inDatabase(({ knex }) => knex('device').where({ id: device_id }).update(change))
    assert.deepEqual(
      [(await user.post(TEST)).status, (await user.post(TEST)).body.code],
      [400, 'PUSH_SERVICE_NOT_CONFIGURED'],
    )
  })

  test('register tokens in the older way, of which the server keeps a digest (DIFF-PUSH)', async () => {
    const server = await bare()
    const [guest, other] = [server.as('guest'), await server.newUser()]
    const given = server.unique('token')
    await guest.must('POST', '/users/me/android_push_reg_id', { token: given })
    const path = '/users/me/android_gcm_reg_id'
    assert.equal((await other.delete(path, { token: given })).body.msg, 'Token does not exist')
    await server.inDatabase(async ({ knex }) => {
      const rows = await knex('push_token').where({ user_id: guest.userId })
      assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(given))
    })
    await guest.must('DELETE', path, { token: given })
    await guest.must('POST', '/mobile_push/test_notification')
    const apns = (values: object) => guest.post('/users/me/apns_device_token', { token: 'c0ffee', ...values })
    const long = 'a'.repeat(MAX_PUSH_TOKEN_LENGTH + 2)
    for (const [values, msg] of [
      [{ appid: 'a/b' }, 'appid has invalid format'],
      [{ appid: 'a.b', token: 'xyz' }, 'Invalid APNS token'],
      [{ appid: 'a.b', token: long }, 'Empty or invalid length token'],
    ] as const) {
      assert.equal((await apns(values)).body.msg, msg)
    }
  })
})
