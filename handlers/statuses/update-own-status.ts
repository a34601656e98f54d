import { updateStatus } from '../../actions/update-status.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/status (facts/operations.md). */
export const updateOwnStatus: Handler<'update-own-status'> = async ({ input, actor, db }) => {
  await updateStatus(db, actor.id, input)
  return {}
}
