import { createHash } from 'node:crypto'
import { newDevice } from '../acts/devices.ts'
import type { Account } from '../deployment/account.ts'
import type { PushRelay, RelayBehaviour } from '../deployment/push-relay.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { effect } from '../kernel/effect.ts'
import { eventOf, listen } from '../kernel/listening.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused } from '../wire/values.ts'
import { by, refuses, refusesWith, succeeds } from './outcomes.ts'

/** The possible failures of a push service, and how the server reports them. */
const failures = [
  { behaviours: [401, 402, 403, 404], code: 'ADMIN_ACTION_REQUIRED', id: 'PUSHTEST-5', status: ['ERR-HTTP-3', 403] },
  { behaviours: ['closes'], code: 'FAILED_TO_CONNECT_BOUNCER', id: 'PUSHTEST-6', status: ['ERR-HTTP-4', 502] },
  { behaviours: [500, 503], code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER', id: 'PUSHTEST-7', status: ['ERR-HTTP-4', 502] },
] as const

export const checks: readonly WrittenCheck[] = [
  {
    id: 'push/tokens',
    title: 'devices can register tokens with the older operations',
    requirements: ids('PUSH', [1, 2, 3, 4, 5, 6, 7, 8]),
    async run(t) {
      const { user } = await t.scene()
      const token = t.unique('token')
      const documented = await user.call('add-android-push-token', { token })
      const isThere = documented.status !== 404
      t.thatOrDeviates('NOTE-12', 'PUSH-5', documented, documented.status === 200, 'success', !isThere)
      const operation = isThere ? 'add-android-push-token' : 'add-fcm-token'
      const add = (values: Record<string, string>) => user.call(operation, values)
      refuses(by(t, 'PUSH-1'), await add({}), 'there is no `token`')
      const empty = await add({ token: '' })
      refusesWith(by(t, 'PUSH-2'), 'BAD_REQUEST', empty, 'the token is empty')
      t.refusedWith('PUSH-6', empty, 'Empty or invalid length token')
      const long = await add({ token: 'a'.repeat(4097) })
      refusesWith(by(t, 'PUSH-3'), 'BAD_REQUEST', long, 'the token has 4097 characters')
      t.refusedWith('PUSH-6', long, 'Empty or invalid length token')
      const longest = 'a'.repeat(4096)
      succeeds(by(t, 'PUSH-6'), await add({ token: longest }), 'the token has 4096 characters')
      const again = await add({ token })
      succeeds(by(t, 'PUSH-7'), again, 'the token is there already')
      t.bareSuccess('PUSH-4', again)
      succeeds(by(t, 'PUSH-8'), await user.call('add-fcm-token', { token }), 'the other name of the operation')
      for (const one of [token, longest]) await user.call('remove-fcm-token', { token: one })
    },
  },
  {
    id: 'push/test',
    title: 'a test notification needs a registered device, and a server with a push service',
    area: 'POST /mobile_push/e2ee/test_notification',
    requirements: ['LEVEL-420', 'LEVEL-468', 'REF-2'],
    conditional: ['PUSHTEST-4', 'PUSHTEST-8'],
    also: ['register-push-device', 'send-encrypted-test-notification'],
    async run(t) {
      // Given accounts may have registered devices.
      const user = await t.newUser()
      const test = (values: object = {}) => user.call('send-encrypted-test-notification', { ...values })
      const plain = await test()
      const { code } = plain.body ?? {}
      const isKnown = ['NO_ACTIVE_PUSH_DEVICE', 'PUSH_SERVICE_NOT_CONFIGURED'].includes(code)
      t.that('LEVEL-420', plain, isKnown, '`NO_ACTIVE_PUSH_DEVICE`, or that there is no push service')
      if (code === 'PUSH_SERVICE_NOT_CONFIGURED') t.that('PUSHTEST-8', plain, plain.status === 400, 'HTTP 400')
      else t.that('PUSHTEST-4', plain, code === 'NO_ACTIVE_PUSH_DEVICE', '`NO_ACTIVE_PUSH_DEVICE`')
      const older = await test({ push_account_id: 'none' })
      t.that('LEVEL-468', older, older.body?.code === code, 'the same with `push_account_id`, which has no meaning')
      const made = await user.call('register-client-device')
      const { device_id } = made.body ?? {}
      if (!t.that('REF-2', made, Number.isInteger(device_id), '`device_id`, an integer')) return
      const bare = await user.call('register-push-device', { device_id })
      t.that('REF-2', bare, isRefused(bare) && bare.status !== 404, 'a refusal: there is nothing to register')
      const unregistered = await test({ device_id })
      const isNone = isRefused(unregistered) && unregistered.body?.code === code
      if (code !== 'PUSH_SERVICE_NOT_CONFIGURED')
        t.that('PUSHTEST-4', unregistered, isNone, '`NO_ACTIVE_PUSH_DEVICE`: the device has not registered')
      await user.call('remove-client-device', { device_id })
    },
  },
  effect(
    ['register-client-device', 'remove-client-device'],
    'devices are announced to their owner when registered and when removed',
    async (_, shows, { user, other }) => {
      const queue = await listen(user, ['device'])
      const listed = async (device_id: number, isThere: boolean) => {
        const registered = await user.must('register-queue', { event_types: ['device'] })
        const { devices } = registered.body
        const says = `${isThere ? '' : 'no '}device ${device_id} in \`devices\``
        shows(registered, Object.hasOwn(devices ?? {}, device_id) === isThere, says)
      }
      const [device_id, second] = [await newDevice(user), await newDevice(user)]
      await eventOf(shows, queue, { type: 'device', op: 'add', device_id })
      await listed(device_id, true)
      refuses(shows, await other.call('remove-client-device', { device_id }), "it is somebody else's")
      await user.must('remove-client-device', { device_id })
      await eventOf(shows, queue, { type: 'device', op: 'remove', device_id })
      await listed(device_id, false)
      await listed(second, true)
      refuses(shows, await user.call('remove-client-device', { device_id }), 'there is none')
      await user.must('remove-client-device', { device_id: second })
    },
  ),
  effect(
    ['add-fcm-token', 'remove-fcm-token', 'add-apns-token', 'remove-apns-token', 'send-test-notification'],
    'a token of the older kind stays registered for its owner until it is removed',
    async (t, shows, { user, other }) => {
      const unknown = 'INVALID_PUSH_DEVICE_TOKEN'
      const digits = Buffer.from(t.unique('token')).toString('hex')
      for (const [kind, token, more] of [
        ['fcm', t.unique('token'), {}],
        ['apns', digits, { appid: 'com.example.conformance' }],
      ] as const) {
        const before = await user.call('send-test-notification', { token })
        shows(before, before.body?.code === unknown, `\`${unknown}\`: nobody registered it`)
        await user.must(`add-${kind}-token`, { token, ...more })
        const now = await user.call('send-test-notification', { token })
        shows(now, now.body?.code !== unknown, 'that the token is known')
        const foreign = await other.call('send-test-notification', { token })
        shows(foreign, foreign.body?.code === unknown, `\`${unknown}\`: somebody else registered it`)
        await user.must(`remove-${kind}-token`, { token })
        const after = await user.call('send-test-notification', { token })
        shows(after, after.body?.code === unknown, `\`${unknown}\`: it was removed`)
        refuses(shows, await user.call(`remove-${kind}-token`, { token }), 'there is none')
      }
      const wrong = await user.call('add-apns-token', { token: 'no digits', appid: 'com.example.conformance' })
      refuses(shows, wrong, 'the token has no hexadecimal digits')
      const nameless = await user.call('add-apns-token', { token: digits, appid: 'a/b' })
      refuses(shows, nameless, 'an application has no such name')
    },
  ),
  {
    id: 'push/service',
    title: 'test notifications reach the devices that they name, and failures of the push service have different codes',
    requirements: [...ids('PUSHTEST', [1, 2, 3, 4, 5, 6, 7]), 'ERR-HTTP-3', 'ERR-HTTP-4'],
    // The push service behaves the same for everybody.
    isForAll: true,
    async run(t) {
      const relay = t.deployment.pushRelay ?? t.leaveOut('needs the suite as the server’s push service (--push-relay)')
      const { user } = await t.scene()
      const devices = [await registered(t, user), await registered(t, user, 'apns')]
      await brought(t, relay, user, devices)
      for (const { behaviours, code, id, status } of failures) {
        for (const behaviour of behaviours) {
          const doing = behaviour === 'closes' ? 'closes the connection' : `answers HTTP ${behaviour}`
          for (const exchange of await asked(relay, behaviour, user)) {
            t.that(id, exchange, exchange.body?.code === code, `\`${code}\`: the push service ${doing}`)
            t.that(status[0], exchange, exchange.status === status[1], `HTTP ${status[1]}`)
          }
        }
      }
      for (const { device_id } of devices) await user.call('remove-client-device', { device_id })
    },
  },
]

interface Registered {
  readonly device_id: number
  readonly token_id: string
}

function registration(device_id: number, name: string, token_kind: 'fcm' | 'apns' = 'fcm') {
  const token_id = createHash('sha256').update(name).digest().subarray(0, 8).toString('base64')
  const push_key = Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32, 7)]).toString('base64')
  return {
    device_id,
    push_key_id: 7,
    push_key,
    token_kind,
    token_id,
    bouncer_public_key: 'conformance',
    encrypted_push_registration: 'conformance',
  }
}

async function registered(t: CheckContext, user: Account, kind?: 'apns'): Promise<Registered> {
  const values = registration(await newDevice(user), t.unique('token'), kind)
  await user.must('register-push-device', values)
  return values
}

/** Checks which devices receive notifications, and what the answer says then. */
async function brought(t: CheckContext, relay: PushRelay, user: Account, devices: readonly Registered[]) {
  const { other } = await t.scene()
  const foreign = await registered(t, other)
  const [first] = devices
  const ours = devices.map(({ token_id }) => token_id).toSorted()
  const told = async (values: object): Promise<{ exchange: Exchange; tokens: string[] }> => {
    const before = relay.notified.length
    const exchange = await user.call('send-encrypted-test-notification', { ...values })
    return { exchange, tokens: relay.notified.slice(before).filter((token) => ours.includes(token)) }
  }
  const one = await told({ device_id: first?.device_id })
  const isOne = one.tokens.join() === first?.token_id
  t.that('PUSHTEST-1', one.exchange, isOne, `a notification for ${first?.token_id} alone; there were ${one.tokens}`)
  const all = await told({})
  const isAll = all.tokens.toSorted().join() === ours.join()
  t.that('PUSHTEST-2', all.exchange, isAll, `notifications for ${ours}; there were ${all.tokens}`)
  const device_id = await newDevice(user)
  for (const [id, why] of [
    [device_id, 'has no token'],
    [foreign.device_id, 'is somebody else’s'],
  ] as const) {
    const none = await told({ device_id: id })
    const isNone = none.exchange.body?.code === 'NO_ACTIVE_PUSH_DEVICE' && none.tokens.length === 0
    t.that('PUSHTEST-4', none.exchange, isNone, `no notification: device ${id} ${why}`)
  }
  await user.call('remove-client-device', { device_id })
  await other.call('remove-client-device', { device_id: foreign.device_id })
  for (const { exchange } of [one, all]) t.bareSuccess('PUSHTEST-3', exchange)
}

/** Requests a test notification and another registration while the push service behaves this way. */
async function asked(relay: PushRelay, behaviour: RelayBehaviour, user: Account): Promise<readonly Exchange[]> {
  const device_id = await newDevice(user)
  relay.behaviour = behaviour
  try {
    return [
      await user.call('send-encrypted-test-notification'),
      await user.call('register-push-device', registration(device_id, `${device_id}`)),
    ]
  } finally {
    relay.behaviour = 200
    await user.call('remove-client-device', { device_id })
  }
}
