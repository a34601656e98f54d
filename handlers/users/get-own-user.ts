import { newestReceived } from '../../db/newest-received.ts'
import { toWireUser } from '../../domain/user.ts'
import type { Handler } from '../handler.ts'

/** GET /users/me (facts/operations.md). */
export const getOwnUser: Handler<'get-own-user'> = async ({ actor, db }) => ({
  ...toWireUser(actor, { clientGravatar: false }),
  max_message_id: (await newestReceived(db.read.session, actor)) ?? -1,
})
