import type { Tx } from '../../db/repositories.ts'
import type { User } from '../../domain/users/user.ts'
import { newApiKey, type Secrets } from '../../secrets/secrets.ts'

/**
 * Gives an account another API key. From the commit on the former one is refused (server/authenticate.ts,
 * permissions/write.ts and events/queues.ts follow the log). Clients are not told, so that a person with the former key
 * learns nothing else.
 *
 * @returns the new key
 */
export async function replaceKey(tx: Tx, user: User, secrets: Secrets): Promise<string> {
  const key = newApiKey()
  const keyVersion = await tx.credentials.replaceKey(user, secrets.storedApiKey(key))
  tx.events.append({ type: 'api_key', userId: user.id, keyVersion }, { to: 'nobody' })
  return key
}
