import { subscribeUsers } from '../../../actions/subscriptions/subscribe-users.ts'
import { refuseTakenName } from '../../../actions/users/change-user.ts'
import { createUser } from '../../../actions/users/create-user.ts'
import { unixSeconds } from '../../../domain/clock.ts'
import { hostOf } from '../../../domain/organization/server-settings.ts'
import { checkFullName } from '../../../domain/text/names.ts'
import { checkEmail } from '../../../domain/users/emails.ts'
import { ROLE } from '../../../domain/users/roles.ts'
import { hashPassword, newApiKey } from '../../../secrets/secrets.ts'
import { newPassword, roleOf } from '../accounts.ts'
import { type RowsCommand, word } from '../command.ts'

/** Ignores the allowed e-mail domains, because an operator decides who joins. */
export const addUser: RowsCommand = {
  kind: 'rows',
  name: 'add-user',
  summary: 'Make an account for a person, who follows the default channels; prints a password that you hand over',
  words: [
    { name: 'email', meaning: 'address to log in with' },
    { name: 'full-name', meaning: 'name that others see' },
  ],
  options: [{ name: 'role', value: 'ROLE', meaning: 'owner, administrator, moderator, member (default) or guest' }],
  async run({ db, secrets, clock, site }, given) {
    const email = checkEmail(word(given, 'email'))
    const fullName = checkFullName(word(given, 'full-name'))
    const role = roleOf(given.role ?? 'member')
    const password = newPassword()
    const passwordHash = await hashPassword(password)
    const user = await db.transaction(async (tx) => {
      await refuseTakenName(tx, fullName, { isBot: false })
      const account = {
        email,
        fullName,
        role,
        isBot: false,
        botOwnerId: null,
        canCreateUsers: role === ROLE.owner,
        canChangeUserEmails: role === ROLE.owner,
        dateJoined: unixSeconds(clock),
        passwordHash,
        ...secrets.storedApiKey(newApiKey()),
      }
      const made = await createUser(tx, account, hostOf(site))
      await subscribeUsers(tx, await tx.channels.byIds(await tx.defaultChannels.ids()), [made])
      return made
    })
    return {
      data: { user_id: user.id, email: user.email, full_name: user.fullName, password },
      lines: [`Account ${user.id} is there: ${user.fullName} <${user.email}>`, `Password: ${password}`],
    }
  },
}
