import { addDevice } from '../../actions/devices.ts'
import type { Handler } from '../handler.ts'

/** POST /register_client_device. */
export const registerClientDevice: Handler<'register-client-device'> = async ({ write }) => ({
  device_id: await write((tx, actor) => addDevice(tx, actor.id)),
})
