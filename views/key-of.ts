import type { Credentials } from '../db/repositories/credentials.ts'
import { UserDeactivatedError } from '../domain/errors.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** What somebody who has logged in is answered. @throws {UserDeactivatedError} */
export function keyOf({ user, apiKeyEncrypted }: Credentials, secrets: Secrets) {
  if (!user.isActive) throw new UserDeactivatedError()
  return { api_key: secrets.decrypt(apiKeyEncrypted), email: user.email, user_id: user.id }
}
