import { createHash } from 'node:crypto'
import { findOpenInvitation } from '../../actions/invitations/accept-invitation.ts'
import { INVITATION_SCRIPT, invitationPage } from '../../views/invitation-page.ts'
import { PAGE_STYLE } from '../../views/page-style.ts'
import { type Handler, RawAnswer } from '../handler.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')

/** GET /join/{invite_key}: for people who open an invitation link. */
export const getInvitationPage: Handler<'get-invitation-page'> = async ({ input, db, secrets }) => {
  const open = await findOpenInvitation(db.read, secrets.hashApiKey(input.invite_key))
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    "connect-src 'self'",
    `style-src 'sha256-${digest(PAGE_STYLE)}'`,
    `script-src 'sha256-${digest(INVITATION_SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return new RawAnswer(
    'text/html; charset=utf-8',
    invitationPage({ organization: db.read.organization.name, open }),
    policy,
  )
}
