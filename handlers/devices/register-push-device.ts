import { deviceOf, registerDevice } from '../../actions/devices.ts'
import { BadRequestError, PushServiceNotConfiguredError } from '../../domain/errors.ts'
import { checkTokenId, pushKeyOf } from '../../domain/push.ts'
import type { Input } from '../../generated/operations.ts'
import type { Handler } from '../handler.ts'

const KEY = ['push_key_id', 'push_key'] as const
const TOKEN = ['token_kind', 'token_id', 'bouncer_public_key', 'encrypted_push_registration'] as const

/**
 * POST /mobile_push/register: a key, a token, or both. The token is stored only after the relay has accepted it; if the
 * relay cannot be reached, nothing changes.
 */
export const registerPushDevice: Handler<'register-push-device'> = async (context) => {
  const { input, actor, db, relay, secrets, clock, write, aside } = context
  if (!relay) throw new PushServiceNotConfiguredError()
  const [key, token] = [together(input, KEY), together(input, TOKEN)]
  if (!key && !token) throw new BadRequestError('Nothing to register: push_key or token_id is missing')
  const bytes = key && pushKeyOf(key.push_key)
  if (token) checkTokenId(token.token_id)
  const { push_key_id: presentKey } = await deviceOf(db.read, actor.id, input.device_id)
  if (token && !key && presentKey === null) throw new BadRequestError('The device has no push_key yet')
  if (token) await aside(() => relay.register({ realm_uuid: db.read.organization.uuid, ...token }))
  await write((tx) =>
    registerDevice(tx, actor.id, input.device_id, {
      key: key && bytes && { id: key.push_key_id, encrypted: secrets.encrypt(bytes.toString('base64')) },
      token: token && { id: token.token_id, updatedAt: Math.floor(clock.now() / 1000) },
    }),
  )
  return {}
}

type Sent = Input<'register-push-device'>

/**
 * Returns parameters that belong together; undefined if none was sent. @throws {BadRequestError} if only some were sent
 */
function together<Name extends keyof Sent>(input: Sent, names: readonly Name[]) {
  const given = names.filter((name) => input[name] !== undefined)
  if (given.length === 0) return undefined
  const missing = names.find((name) => input[name] === undefined)
  if (missing !== undefined) throw new BadRequestError(`Missing parameters: must provide ${names.join(', ')} together`)
  return Object.fromEntries(names.map((name) => [name, input[name]])) as { [One in Name]: NonNullable<Sent[One]> }
}
