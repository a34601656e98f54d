import { AuthenticationFailedError, UserDeactivatedError } from '../../domain/errors.ts'
import { isPassword } from '../../secrets/secrets.ts'
import type { Handler } from '../handler.ts'

/** POST /fetch_api_key (AUTH-16). Failed tries are limited by server/rate-limit.ts. */
export const fetchApiKey: Handler<'fetch-api-key'> = async ({ input, db, secrets }) => {
  const credentials = await db.read.credentials.byEmail(input.username.trim())
  // An unknown address takes as long as a wrong password, so that nobody learns which accounts exist.
  const isRight = await isPassword(input.password, credentials?.passwordHash ?? null)
  if (!credentials || !isRight) throw new AuthenticationFailedError()
  if (!credentials.user.isActive) throw new UserDeactivatedError()
  return {
    api_key: secrets.decrypt(credentials.apiKeyEncrypted),
    email: credentials.user.email,
    user_id: credentials.user.id,
  }
}
