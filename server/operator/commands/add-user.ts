import { refuseTakenName } from '../../../actions/users/change-user.ts'
import { checkFullName } from '../../../domain/text/names.ts'
import { checkEmail } from '../../../domain/users/emails.ts'
import { hashPassword, newApiKey } from '../../../secrets/secrets.ts'
import { makePerson, newPassword, roleOf } from '../accounts.ts'
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
  async run({ db, ...server }, given) {
    const email = checkEmail(word(given, 'email'))
    const fullName = checkFullName(word(given, 'full-name'))
    const role = roleOf(given.role ?? 'member')
    const password = newPassword()
    const passwordHash = await hashPassword(password)
    const user = await db.transaction(async (tx) => {
      await refuseTakenName(tx, fullName, { isBot: false })
      return makePerson(tx, { email, fullName, role, passwordHash, apiKey: newApiKey() }, server)
    })
    return {
      data: { user_id: user.id, email: user.email, full_name: user.fullName, password },
      lines: [`Account ${user.id} is there: ${user.fullName} <${user.email}>`, `Password: ${password}`],
    }
  },
}
