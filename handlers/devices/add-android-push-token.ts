import { addPushToken } from '../../actions/devices.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/android_push_reg_id, the same as POST /users/me/android_gcm_reg_id (PUSH-8). */
export const addAndroidPushToken: Handler<'add-android-push-token'> = async ({ input, write }) => {
  await write((tx, actor) => addPushToken(tx, actor.id, 'fcm', input.token))
  return {}
}
