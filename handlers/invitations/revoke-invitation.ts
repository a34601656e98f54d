import { tellInvitesChanged } from '../../actions/invite.ts'
import { accessInvitation } from '../../permissions/access-invitation.ts'
import type { Handler } from '../handler.ts'

/** DELETE /invites/{invite_id}. */
export const revokeInvitation: Handler<'revoke-invitation'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const { id, invitedBy } = await accessInvitation(tx, actor, input.invite_id, 'email')
    await tx.invitations.delete(id)
    await tellInvitesChanged(tx, [invitedBy])
  })
  return {}
}
