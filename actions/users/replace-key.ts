import type { Tx } from '../../db/repositories.ts'
import type { User } from '../../domain/users/user.ts'
import { newApiKey, type Secrets } from '../../secrets/secrets.ts'
import { removeDevice } from '../devices.ts'

/**
 * Gives an account another API key, and removes its devices, because somebody with the former key may have registered
 * one that shows them messages. From the commit on the former one is refused (server/authenticate.ts,
 * permissions/write.ts and events/queues.ts follow the log). Clients are not told, so that a person with the former key
 * learns nothing else.
 *
 * @returns the new key
 */
export async function replaceKey(tx: Tx, user: User, secrets: Secrets): Promise<string> {
  for (const id of Object.keys(await tx.devices.of(user.id))) await removeDevice(tx, user.id, Number(id))
  await tx.devices.deleteTokens(user.id)
  const key = newApiKey()
  const keyVersion = await tx.credentials.replaceKey(user, secrets.storedApiKey(key))
  tx.events.append({ type: 'api_key', userId: user.id, keyVersion }, { to: 'nobody' })
  return key
}
