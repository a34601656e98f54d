import { expiryOf } from '../../domain/invitations.ts'
import { accessInvitation } from '../../permissions/access-invitation.ts'
import type { Handler } from '../handler.ts'

/** POST /invites/{invite_id}/resend: nothing is announced, because the list does not change. */
export const resendInvitation: Handler<'resend-invitation'> = async ({ input, write }) => {
  await write(async (tx, actor) => {
    const { id, minutes } = await accessInvitation(tx, actor, input.invite_id, 'email')
    await tx.invitations.setExpiry(id, expiryOf(tx.organization.now, minutes))
  })
  return {}
}
