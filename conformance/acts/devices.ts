import type { Account } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { byObserver, deletion, ourKind } from '../laws/action-kind.ts'
import { type Owned, oldestOf, type World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

const token = 'conformance-token'
/** The token is hexadecimal, as Parley requires, and base64, as older servers do. */
const apple = { token: 'c0ffee42'.repeat(8), appid: 'com.example.conformance' }

/** A device of `person` without a push registration. */
export async function newDevice(person: Account): Promise<number> {
  return (await person.must('register-client-device')).body.device_id
}

/** Registration parameters for `person`: a key alone, or with a token, which not every push service accepts. */
async function registration(t: CheckContext, person: Account, token: object = {}) {
  const push_key = Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32, 7)]).toString('base64')
  const values = { device_id: await newDevice(person), push_key_id: 7, push_key, ...token }
  const registered = await person.call('register-push-device', values)
  if (registered.status !== 200) {
    await person.call('remove-client-device', { device_id: values.device_id })
    t.leaveOut('needs a push service that lets this device register')
  }
  return values
}

const fcmToken = {
  token_kind: 'fcm',
  token_id: Buffer.alloc(8, 7).toString('base64'),
  bouncer_public_key: 'conformance',
  encrypted_push_registration: 'conformance',
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

const remove = ({ id, owner }: Owned) => owner.call('remove-client-device', { device_id: id })

async function add(world: World, who: number) {
  const owner = world.person(who)
  const added = await owner.call('register-client-device')
  return world.keep<Owned>('devices', added, { id: added.body?.device_id, owner })
}

const oldest = (world: World, who: number) => oldestOf(world, 'devices', who, () => add(world, who))

export const actions = [
  ourKind('add device', byObserver, (world, { who }) => add(world, who)),
  { ...deletion('remove device', 'devices', oldest, remove), isOurs: true },
]
