import { CodedError } from '../../domain/errors.ts'
import { tokenHash } from '../../domain/push.ts'
import type { Handler } from '../handler.ts'

/**
 * POST /mobile_push/test_notification: does not send anything, because tokens of the older kind get none (DIFF-PUSH).
 */
export const sendTestNotification: Handler<'send-test-notification'> = async ({ input, actor, db }) => {
  const { token } = input
  const isKnown = token === undefined || (await db.read.devices.hasToken(actor.id, tokenHash(token)))
  if (!isKnown) throw new CodedError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized')
  return {}
}
