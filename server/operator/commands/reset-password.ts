import { replaceKey } from '../../../actions/users/replace-key.ts'
import { hashPassword } from '../../../secrets/secrets.ts'
import { ADMIN_COMMAND } from '../../command-names.ts'
import { accountOf, newPassword } from '../accounts.ts'
import { OperatorError, type RowsCommand, word } from '../command.ts'

/** The key is replaced together with the password, as when users change their own password. */
export const resetPassword: RowsCommand = {
  kind: 'rows',
  name: 'reset-password',
  summary: 'Give a person another password and another API key; prints the password, which you hand over',
  words: [{ name: 'account', meaning: 'address or ID of a person' }],
  async run({ db, secrets }, given) {
    const password = newPassword()
    const passwordHash = await hashPassword(password)
    const email = await db.transaction(async (tx) => {
      const user = await accountOf(tx, word(given, 'account'))
      if (user.isBot) throw new OperatorError(`Bots have no password: ${ADMIN_COMMAND} reset-key`)
      await tx.users.update(user.id, { passwordHash })
      await replaceKey(tx, user, secrets)
      return user.email
    })
    return {
      data: { email, password },
      lines: [`${email} has another password and another key`, `Password: ${password}`],
    }
  },
}
