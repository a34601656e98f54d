import { addPushToken } from '../../actions/devices.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/android_gcm_reg_id. */
export const addFcmToken: Handler<'add-fcm-token'> = async ({ input, write }) => {
  await write((tx, actor) => addPushToken(tx, actor.id, 'fcm', input.token))
  return {}
}
