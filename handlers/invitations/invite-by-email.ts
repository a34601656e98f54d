import { invitationTerms, makeInvitations } from '../../actions/invitations/invite.ts'
import { strangeEmails } from '../../actions/organization/email-domains.ts'
import { MAX_PAIRS, refuseTooManyPairs } from '../../actions/subscriptions/join-channels.ts'
import type { Readers } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { InvitationFailedError, type NotInvited } from '../../domain/invitation-errors.ts'
import { parseInvitees } from '../../domain/invitations.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { emailKey } from '../../domain/text/text-keys.ts'
import { isReservedEmail } from '../../domain/users/email-visibility.ts'
import { isEmail } from '../../domain/users/emails.ts'
import type { Handler } from '../handler.ts'

/** POST /invites. Existing accounts do not prevent the invitation of the others; the answer lists them. */
export const inviteByEmail: Handler<'invite-by-email'> = async ({ input, write, secrets, site }) => {
  const emails = eachOnce(parseInvitees(input.invitee_emails))
  refuseTooManyPairs(input.stream_ids.length, emails.length, MAX_PAIRS)
  const { known, invited } = await write(async (tx, actor) => {
    const terms = await invitationTerms(tx, actor, 'can_invite_users_group', input)
    if (input.invitee_emails === '') {
      throw new BadRequestError('You must specify at least one email address.')
    }
    const wrong = await notInvitable(tx, emails)
    if (wrong.length > 0) throw new InvitationFailedError('Nobody was invited: some addresses cannot be.', wrong, false)
    const known = await accountsOf(tx, emails, hostOf(site))
    const invited = emails.filter((email) => !known.has(emailKey(email)))
    if (invited.length > 0) await makeInvitations(tx, actor, terms, invited, secrets)
    return { known: [...known.values()], invited }
  })
  if (known.length > 0 && invited.length === 0) {
    throw new InvitationFailedError('Nobody was invited: all of these addresses have an account already.', known, false)
  }
  if (known.length > 0) {
    const sentence = 'Some of these addresses have an account already; all others were invited.'
    throw new InvitationFailedError(sentence, known, true)
  }
  return {}
}

function eachOnce(emails: readonly string[]): string[] {
  return [...new Map(emails.map((email) => [emailKey(email), email])).values()]
}

async function notInvitable(read: Readers, emails: readonly string[]): Promise<NotInvited[]> {
  const strange = new Set(await strangeEmails(read, emails))
  return emails.flatMap((email): NotInvited[] => {
    if (!isEmail(email)) return [[email, 'Invalid address.', false]]
    return strange.has(email) ? [[email, 'Outside your domain.', false]] : []
  })
}

/** Returns the entries of the answer about addresses with an account, by the key of the address. */
async function accountsOf(read: Readers, emails: readonly string[], host: string): Promise<Map<string, NotInvited>> {
  const users = new Map((await read.users.byEmails(emails)).map((user) => [emailKey(user.email), user]))
  return new Map(
    emails.flatMap((email): [string, NotInvited][] => {
      const user = users.get(emailKey(email))
      if (!user && !isReservedEmail(email, host)) return []
      const isActive = user?.isActive ?? true
      const why = isActive ? 'Already has an account.' : 'Account has been deactivated.'
      return [[emailKey(email), [email, why, !isActive]]]
    }),
  )
}
