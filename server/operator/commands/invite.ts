import { makeInvitations } from '../../../actions/invitations/invite.ts'
import { refuseStrangeEmail } from '../../../actions/organization/email-domains.ts'
import type { Tx } from '../../../db/repositories.ts'
import { invitationLink, mayGive } from '../../../domain/invitations.ts'
import { hostOf } from '../../../domain/organization/server-settings.ts'
import { isReservedEmail } from '../../../domain/users/email-visibility.ts'
import { checkEmail } from '../../../domain/users/emails.ts'
import { actingPerson, roleName, roleOf } from '../accounts.ts'
import { OperatorError, type RowsCommand } from '../command.ts'

const DAY_MINUTES = 24 * 60
const MAX_DAYS = 3650

export const invite: RowsCommand = {
  kind: 'rows',
  name: 'invite',
  summary:
    'Invite somebody; prints the link, which you hand over: anyone who has it can join, and is subscribed to the default channels',
  words: [],
  options: [
    {
      name: 'email',
      value: 'EMAIL',
      meaning: 'address of the one person whom the link is for; otherwise many can use it',
    },
    { name: 'role', value: 'ROLE', meaning: 'owner, administrator, moderator, member (default) or guest' },
    { name: 'days', value: 'DAYS', meaning: 'how long the link works; otherwise until it is revoked' },
    { name: 'by', value: 'ACCOUNT', meaning: 'address or ID of the inviter; otherwise an owner' },
  ],
  async run({ db, secrets, site }, given) {
    const role = roleOf(given.role ?? 'member')
    const minutes = given.days === undefined ? null : daysOf(given.days) * DAY_MINUTES
    const email = given.email === undefined ? null : checkEmail(given.email)
    const nothingElse = {
      channelIds: [],
      groupIds: [],
      includesDefaults: true,
      notifiesInviter: false,
      welcomeText: null,
    }
    const [key = ''] = await db.transaction(async (tx) => {
      const actor = await actingPerson(tx, given.by)
      if (!mayGive(actor, role)) throw new OperatorError(`${actor.email} may not give the role ${roleName(role)}`)
      if (email !== null) await refuseKnown(tx, email, hostOf(site))
      return makeInvitations(tx, actor, { role, minutes, ...nothingElse }, [email], secrets)
    })
    const link = invitationLink(site.publicUrl, key)
    return { data: { link }, lines: [link] }
  },
}

/** Refuses an address that cannot be used to join. */
async function refuseKnown(tx: Tx, email: string, host: string): Promise<void> {
  await refuseStrangeEmail(tx, email)
  const [user] = await tx.users.byEmails([email])
  if (user || isReservedEmail(email, host)) throw new OperatorError(`${email} has an account already`)
}

function daysOf(text: string): number {
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days
  throw new OperatorError(`--days is '${text}': expected a whole number from 1 to ${MAX_DAYS}`)
}
