import { changeSettings } from '../../actions/users/change-settings.ts'
import type { Handler } from '../handler.ts'

/** PATCH /settings/notifications: an older name of PATCH /settings. */
export const updateNotificationSettings: Handler<'update-notification-settings'> = async ({
  input,
  actor,
  ...services
}) => {
  await changeSettings(services, actor, input)
  return {}
}
