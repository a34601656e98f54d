import { newestReceived } from '../../db/read-state/newest-received.ts'
import { toWireUser } from '../../domain/users/user.ts'
import type { Handler } from '../handler.ts'

/** GET /users/me. */
export const getOwnUser: Handler<'get-own-user'> = async ({ actor, db }) => ({
  ...toWireUser(actor, { viewer: actor, clientGravatar: false }),
  max_message_id: (await newestReceived(db.read.session, actor)) ?? -1,
})
