import { recordFirstLogIn } from '../../actions/users/first-log-in.ts'
import { AuthenticationFailedError } from '../../domain/errors.ts'
import { refuseWhileDeactivated } from '../../permissions/write.ts'
import { isPassword } from '../../secrets/secrets.ts'
import { keyOf } from '../../views/key-of.ts'
import type { Handler } from '../handler.ts'

/** POST /fetch_api_key (AUTH-16). server/rate-limit.ts limits failed attempts. */
export const fetchApiKey: Handler<'fetch-api-key'> = async ({ input, db, secrets, begin }) => {
  const credentials = await db.read.credentials.byEmail(input.username.trim())
  // An unknown address takes as long as a wrong password, so that nobody learns which accounts exist.
  const isRight = await isPassword(input.password, credentials?.passwordHash ?? null)
  if (!credentials || !isRight) throw new AuthenticationFailedError()
  refuseWhileDeactivated(db.read)
  const answer = keyOf(credentials, secrets)
  if (credentials.user.isImportedStub) await begin((tx) => recordFirstLogIn(tx, credentials.user))
  return answer
}
