import type { Credentials } from '../db/repositories/credentials.ts'
import { UserDeactivatedError } from '../domain/errors.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** Returns the answer to a successful log-in. @throws {UserDeactivatedError} */
export function keyOf({ user, apiKeyEncrypted }: Credentials, secrets: Secrets) {
  if (!user.isActive) throw new UserDeactivatedError()
  return { api_key: secrets.decrypt(apiKeyEncrypted), email: user.email, user_id: user.id }
}
