import { changeSettings } from '../../actions/users/change-settings.ts'
import type { Handler } from '../handler.ts'

/** PATCH /settings. */
export const updateSettings: Handler<'update-settings'> = async ({ input, actor, ...services }) => {
  await changeSettings(services, actor, input)
  return {}
}
