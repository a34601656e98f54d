import { createHash } from 'node:crypto'
import { newDevice } from '../acts/devices.ts'
import type { Account } from '../deployment/account.ts'
import type { PushRelay, RelayBehaviour } from '../deployment/push-relay.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Exchange } from '../wire/http.ts'

/** What a push service may do, and how the server reports it. */
const failures: readonly {
  readonly behaviours: readonly RelayBehaviour[]
  readonly code: string
  readonly id: string
  readonly status: readonly [id: string, status: number]
}[] = [
  { behaviours: [401, 402, 403, 404], code: 'ADMIN_ACTION_REQUIRED', id: 'PUSHTEST-5', status: ['ERR-HTTP-3', 403] },
  { behaviours: ['closes'], code: 'FAILED_TO_CONNECT_BOUNCER', id: 'PUSHTEST-6', status: ['ERR-HTTP-4', 502] },
  { behaviours: [500, 503], code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER', id: 'PUSHTEST-7', status: ['ERR-HTTP-4', 502] },
]

export const checks: readonly Check[] = [
  {
    id: 'push/service',
    title: 'test notifications go to the devices that they are for, and failures of the push service are told apart',
    area: 'POST /mobile_push/e2ee/test_notification',
    profile: 'core',
    requirements: [...ids('PUSHTEST', [1, 2, 3, 4, 5, 6, 7]), 'ERR-HTTP-3', 'ERR-HTTP-4'],
    operations: [
      ...['register-client-device', 'register-push-device', 'send-encrypted-test-notification'],
      'remove-client-device',
    ],
    // The service behaves the same for everybody.
    isForAll: true,
    async run(t) {
      const relay = t.deployment.pushRelay ?? t.leaveOut('takes a push service that the suite is itself (--push-relay)')
      const { user } = await t.scene()
      const devices = [await registered(t, user), await registered(t, user)]
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

function registration(device_id: number, name: string) {
  const token_id = createHash('sha256').update(name).digest().subarray(0, 8).toString('base64')
  const push_key = Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32, 7)]).toString('base64')
  return {
    ...{ device_id, push_key_id: 7, push_key, token_kind: 'fcm', token_id },
    ...{ bouncer_public_key: 'conformance', encrypted_push_registration: 'conformance' },
  }
}

async function registered(t: CheckContext, user: Account): Promise<Registered> {
  const values = registration(await newDevice(user), t.unique('token'))
  await user.must('register-push-device', values)
  return values
}

/** Which devices get notifications, and what the answer then says. */
async function brought(t: CheckContext, relay: PushRelay, user: Account, devices: readonly Registered[]) {
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
  const none = await told({ device_id })
  const isNone = none.exchange.body?.code === 'NO_ACTIVE_PUSH_DEVICE' && none.tokens.length === 0
  t.that('PUSHTEST-4', none.exchange, isNone, `no notification: device ${device_id} has no token`)
  await user.call('remove-client-device', { device_id })
  for (const { exchange } of [one, all]) {
    const keys = Object.keys(exchange.body ?? {}).toSorted()
    t.that('PUSHTEST-3', exchange, keys.join() === 'msg,result', '`result` and `msg` alone')
  }
}

/** A test notification, and another registration, while the push service behaves like that. */
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
