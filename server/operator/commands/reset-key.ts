import { replaceKey } from '../../../actions/users/replace-key.ts'
import { accountOf, keyFile } from '../accounts.ts'
import { type RowsCommand, word } from '../command.ts'

/** From that moment on, the former key is refused. */
export const resetKey: RowsCommand = {
  kind: 'rows',
  name: 'reset-key',
  summary: 'Give an account another API key; prints a zuliprc with it',
  words: [{ name: 'account', meaning: 'address or ID of a person or a bot' }],
  async run({ db, secrets, site }, given) {
    const [email, apiKey] = await db.transaction(async (tx) => {
      const user = await accountOf(tx, word(given, 'account'))
      return [user.email, await replaceKey(tx, user, secrets)] as const
    })
    return keyFile(email, apiKey, site)
  },
}
