import { changeStatus } from '../../actions/statuses.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/status. */
export const updateOwnStatus: Handler<'update-own-status'> = async ({ input, write }) => {
  await write((tx, actor) => changeStatus(tx, actor, input))
  return {}
}
