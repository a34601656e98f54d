import { changeEmail as change } from '../../../actions/users/change-user.ts'
import { hostOf } from '../../../domain/organization/server-settings.ts'
import { checkEmail } from '../../../domain/users/emails.ts'
import { accountOf } from '../accounts.ts'
import { type RowsCommand, word } from '../command.ts'

export const changeEmail: RowsCommand = {
  kind: 'rows',
  name: 'change-email',
  summary: 'Give an account another address to log in with',
  words: [
    { name: 'account', meaning: 'address or ID of a person or a bot' },
    { name: 'email', meaning: 'the new address' },
  ],
  async run({ db, site }, given) {
    const email = checkEmail(word(given, 'email'))
    const user = await db.transaction(async (tx) => {
      const found = await accountOf(tx, word(given, 'account'))
      if (found.email !== email) await change(tx, found, email, hostOf(site))
      return found
    })
    return { data: { user_id: user.id, email }, lines: [`${user.fullName} has the address ${email}`] }
  },
}
