import { invitationTerms, makeInvitations } from '../../actions/invitations/invite.ts'
import { invitationLink } from '../../domain/invitations.ts'
import type { Handler } from '../handler.ts'

/** POST /invites/multiuse. */
export const createInvitationLink: Handler<'create-invitation-link'> = async ({ input, write, secrets, site }) => {
  const [key = ''] = await write(async (tx, actor) => {
    const terms = await invitationTerms(tx, actor, 'create_multiuse_invite_group', input)
    return makeInvitations(tx, actor, terms, [null], secrets)
  })
  return { invite_link: invitationLink(site.publicUrl, key) }
}
