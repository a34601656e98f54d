import { removeDevice } from '../../actions/devices.ts'
import type { Handler } from '../handler.ts'

/** POST /remove_client_device. */
export const removeClientDevice: Handler<'remove-client-device'> = async ({ input, write }) => {
  await write((tx, actor) => removeDevice(tx, actor.id, input.device_id))
  return {}
}
