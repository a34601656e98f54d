import { addPushToken } from '../../actions/devices.ts'
import { checkAppId } from '../../domain/push.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/apns_device_token. */
export const addApnsToken: Handler<'add-apns-token'> = async ({ input, write }) => {
  checkAppId(input.appid)
  await write((tx, actor) => addPushToken(tx, actor.id, 'apns', input.token))
  return {}
}
