import { endInvitation } from '../../actions/invitations/invite.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { accessInvitation } from '../../permissions/access-invitation.ts'
import type { Handler } from '../handler.ts'

/** DELETE /invites/multiuse/{invite_id}. */
export const revokeInvitationLink: Handler<'revoke-invitation-link'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const invitation = await accessInvitation(tx, actor, input.invite_id, 'link')
    if (invitation.isRevoked) throw new BadRequestError('Invitation has already been revoked')
    await endInvitation(tx, invitation)
  })
  return {}
}
