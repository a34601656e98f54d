import { changeProfile } from '../../actions/users/change-profile.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/me/profile_data. */
export const updateOwnProfileData: Handler<'update-own-profile-data'> = async ({ input, write }) => {
  await write((tx, actor) => changeProfile(tx, actor, actor, input.data))
  return {}
}
