import { recordFirstLogIn } from '../../actions/users/first-log-in.ts'
import { AuthenticationFailedError, BadRequestError } from '../../domain/errors.ts'
import { refuseWhileDeactivated } from '../../permissions/write.ts'
import { keyOf } from '../../views/key-of.ts'
import type { Handler } from '../handler.ts'

/**
 * POST /dev_fetch_api_key: anybody gets the key of any account, so it works only if the server was started for that,
 * and only for programs on this machine (server/admission.ts).
 */
export const devFetchApiKey: Handler<'dev-fetch-api-key'> = async ({ input, db, secrets, site, begin }) => {
  if (!site.hasDevelopmentLogin) throw new BadRequestError('Nobody logs in without a password on this server.')
  const credentials = await db.read.credentials.byEmail(input.username.trim())
  if (!credentials) throw new AuthenticationFailedError()
  refuseWhileDeactivated(db.read)
  const answer = keyOf(credentials, secrets)
  if (credentials.user.isImportedStub) await begin((tx) => recordFirstLogIn(tx, credentials.user))
  return answer
}
