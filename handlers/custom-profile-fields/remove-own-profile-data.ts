import { changeProfile } from '../../actions/users/change-profile.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/profile_data. */
export const removeOwnProfileData: Handler<'remove-own-profile-data'> = async ({ input, write }) => {
  const updates = input.data.map((id) => ({ id, value: null }))
  await write((tx, actor) => changeProfile(tx, actor, actor, updates))
  return {}
}
