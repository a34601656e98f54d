import { removePushToken } from '../../actions/devices.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/apns_device_token. */
export const removeApnsToken: Handler<'remove-apns-token'> = async ({ input, write }) => {
  await write((tx, actor) => removePushToken(tx, actor.id, 'apns', input.token))
  return {}
}
