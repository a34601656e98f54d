import { changeSettings } from '../../actions/users/change-settings.ts'
import type { Handler } from '../handler.ts'

/** PATCH /settings/display: an older name of PATCH /settings. */
export const updateDisplaySettings: Handler<'update-display-settings'> = async ({ input, actor, ...services }) => {
  await changeSettings(services, actor, input)
  return {}
}
