import { type Invitation, invitationLink, mayGive } from '../../domain/invitations.ts'
import { hasRole } from '../../domain/users/roles.ts'
import type { Schemas } from '../../generated/operations.ts'
import type { Handler } from '../handler.ts'

/** GET /invites. */
export const getInvitations: Handler<'get-invitations'> = async ({ actor, db, secrets, site, pauses }) => {
  const { read } = db
  const whose = hasRole(actor.role, 'administrator') ? undefined : actor.id
  const open = await read.invitations.open(read.organization.now, whose, pauses)
  const linkOf = ({ role, keyEncrypted }: Invitation): string =>
    mayGive(actor, role) ? invitationLink(site.publicUrl, secrets.decrypt(keyEncrypted)) : ''
  return {
    invites: await pauses.map(open, (invitation): Schemas['Invitation'] => ({
      id: invitation.id,
      invited_by_user_id: invitation.invitedBy,
      invited: invitation.invitedAt,
      expiry_date: invitation.expiresAt,
      invited_as: invitation.role,
      ...(invitation.email !== null && { email: invitation.email }),
      link_url: linkOf(invitation),
      notify_referrer_on_join: invitation.notifiesInviter,
      is_multiuse: invitation.email === null,
    })),
  }
}
