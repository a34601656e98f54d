import { endInvitation } from '../../actions/invitations/invite.ts'
import { accessInvitation } from '../../permissions/access-invitation.ts'
import type { Handler } from '../handler.ts'

/** DELETE /invites/{invite_id}. */
export const revokeInvitation: Handler<'revoke-invitation'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    await endInvitation(tx, await accessInvitation(tx, actor, input.invite_id, 'email'))
  })
  return {}
}
