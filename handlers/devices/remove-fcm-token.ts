import { removePushToken } from '../../actions/devices.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/android_gcm_reg_id. */
export const removeFcmToken: Handler<'remove-fcm-token'> = async ({ input, write }) => {
  await write((tx, actor) => removePushToken(tx, actor.id, 'fcm', input.token))
  return {}
}
