import type { Step } from './client.ts'
import { fields, int } from './shape.ts'

const token = 'abcdef0123456789'
/** 0x31, and the encryption key of notifications. */
const push_key = Buffer.concat([Buffer.from([0x31]), Buffer.alloc(32, 5)]).toString('base64')

/** How the mobile client gets notifications, today and from older servers. The server has a push service. */
export const devices: readonly Step[] = [
  { does: 'POST /register_client_device', answer: fields({ device_id: int }) },
  {
    does: 'POST /mobile_push/register',
    parameters: ({ deviceId }) => ({
      device_id: deviceId,
      push_key_id: 4_000_000_000,
      push_key,
      token_kind: 'fcm',
      token_id: Buffer.alloc(8, 3).toString('base64'),
      bouncer_public_key: 'public',
      encrypted_push_registration: 'for the push service alone',
    }),
  },
  { does: 'POST /remove_client_device', parameters: ({ deviceId }) => ({ device_id: deviceId }) },
  { does: 'POST /users/me/android_gcm_reg_id', parameters: { token } },
  { does: 'DELETE /users/me/android_gcm_reg_id', parameters: { token } },
  { does: 'POST /users/me/apns_device_token', parameters: { token, appid: 'org.zulip.Zulip' } },
  { does: 'DELETE /users/me/apns_device_token', parameters: { token } },
]
