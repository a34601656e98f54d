import { replaceKey } from '../../actions/users/replace-key.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/api_key/regenerate. */
export const regenerateOwnApiKey: Handler<'regenerate-own-api-key'> = async ({ write, secrets }) => ({
  api_key: await write((tx, actor) => replaceKey(tx, actor, secrets)),
})
