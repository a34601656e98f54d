import { makeBot } from '../../../actions/bots/manage-bots.ts'
import { hostOf } from '../../../domain/organization/server-settings.ts'
import { checkFullName } from '../../../domain/text/names.ts'
import { checkEmail } from '../../../domain/users/emails.ts'
import { activePersonOf, keyFile } from '../accounts.ts'
import { type RowsCommand, word } from '../command.ts'

export const addBot: RowsCommand = {
  kind: 'rows',
  name: 'add-bot',
  summary: 'Make a bot; prints a zuliprc with its key for the program that acts as the bot',
  words: [
    { name: 'email', meaning: 'address of the bot; nothing is sent there' },
    { name: 'full-name', meaning: 'name that others see' },
    { name: 'owner', meaning: 'address or ID of the person whose bot it is' },
  ],
  async run({ db, secrets, site }, given) {
    const email = checkEmail(word(given, 'email'))
    const fullName = checkFullName(word(given, 'full-name'))
    const { apiKey } = await db.transaction(async (tx) => {
      const owner = await activePersonOf(tx, word(given, 'owner'))
      return makeBot(tx, owner, { email, fullName }, { secrets, host: hostOf(site) })
    })
    return keyFile(email, apiKey, site)
  },
}
