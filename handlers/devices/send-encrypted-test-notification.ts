import { CodedError, PushServiceNotConfiguredError } from '../../domain/errors.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { encryptedFor } from '../../push/encrypt.ts'
import type { RelayNotification } from '../../push/relay.ts'
import type { Handler } from '../handler.ts'

/** POST /mobile_push/e2ee/test_notification. */
export const sendEncryptedTestNotification: Handler<'send-encrypted-test-notification'> = async (context) => {
  const { input, actor, db, relay, secrets, clock, site, aside } = context
  const { device_id: wanted } = input
  const registered = await db.read.devices.targetsOf(actor.id)
  const targets = registered.filter(({ deviceId }) => wanted === undefined || deviceId === wanted)
  if (targets.length === 0) throw new CodedError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device')
  if (!relay) throw new PushServiceNotConfiguredError()
  const { name, uuid } = db.read.organization
  const notification = {
    type: 'test',
    realm_url: site.publicUrl,
    realm_name: name,
    user_id: actor.id,
    time: Math.floor(clock.now() / 1000),
  }
  const notifications: RelayNotification[] = []
  const pauses = new Pauses({ party: actor.id })
  for (const { tokenId, keyId, encryptedKey } of targets) {
    const key = Buffer.from(secrets.decrypt(encryptedKey), 'base64')
    const encrypted_data = await encryptedFor(key, notification)
    notifications.push({ token_id: tokenId, push_key_id: keyId, encrypted_data })
    await pauses.letOthers()
  }
  await aside(() => relay.notify(uuid, notifications))
  return {}
}
