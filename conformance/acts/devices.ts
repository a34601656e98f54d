import type { Account } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { type Ground, ourKind, some } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

const token = 'conformance-token'
/** The token is hexadecimal, as Parley requires, and base64, as older servers do. */
const apple = { token: 'c0ffee42'.repeat(8), appid: 'com.example.conformance' }

/** A device of `person` without a push registration. */
export async function newDevice(person: Account): Promise<number> {
  return (await person.must('register-client-device')).body.device_id
}

/** Parameters for a registration of `person`: of a key alone, or with a token, which not every push service accepts. */
async function registration(t: CheckContext, person: Account, token: object = {}) {
  const push_key = Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32, 7)]).toString('base64')
  const values = { device_id: await newDevice(person), push_key_id: 7, push_key, ...token }
  const registered = await person.call('register-push-device', values)
  if (registered.status !== 200) {
    await person.call('remove-client-device', { device_id: values.device_id })
    t.leaveOut('takes a push service that lets this device register')
  }
  return values
}

const fcmToken = {
  ...{ token_kind: 'fcm', token_id: Buffer.alloc(8, 7).toString('base64') },
  ...{ bouncer_public_key: 'conformance', encrypted_push_registration: 'conformance' },
}

export const requests: Requests = {
  'remove-client-device': async ({ user }) => ({ device_id: await newDevice(user) }),
  'register-push-device': ({ user }, t) => registration(t, user),
  'send-encrypted-test-notification': async ({ user }, t) => ({
    device_id: (await registration(t, user, fcmToken)).device_id,
  }),
  // Always the same token, because each is stored.
  'add-android-push-token': () => ({ token }),
  'add-fcm-token': () => ({ token }),
  'remove-fcm-token': async ({ user }) => {
    await user.must('add-fcm-token', { token })
    return { token }
  },
  'add-apns-token': () => apple,
  'remove-apns-token': async ({ user }) => {
    await user.must('add-apns-token', user.known('add-apns-token', apple))
    return { token: apple.token }
  },
}

interface Own {
  readonly who: number
  readonly device_id: number
}

const devicesIn = (world: World): Own[] => world.kept('device')
const byObserver = ({ observer }: Ground) => ({ who: observer })

async function add(world: World, who: number) {
  const added = await world.person(who).call('register-client-device')
  if (added.status === 200) devicesIn(world).push({ who, device_id: added.body.device_id })
  return added
}

export const actions = [
  ourKind('add device', byObserver, (world, { who }) => add(world, who)),
  ourKind(
    'remove device',
    (ground) => ({ ...byObserver(ground), device: some }),
    async (world, { who, device }) => {
      const known = () => devicesIn(world).filter((one) => one.who === who)
      if (known().length === 0) await add(world, who)
      const device_id = known()[device % known().length]?.device_id
      return device_id === undefined ? undefined : world.person(who).call('remove-client-device', { device_id })
    },
  ),
]
