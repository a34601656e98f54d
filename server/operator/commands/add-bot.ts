import { refuseTakenName } from '../../../actions/change-user.ts'
import { createUser } from '../../../actions/create-user.ts'
import { accepted } from '../../../domain/checked.ts'
import { unixSeconds } from '../../../domain/clock.ts'
import { checkFullName } from '../../../domain/text/names.ts'
import { checkEmail } from '../../../domain/users/emails.ts'
import { ROLE } from '../../../domain/users/roles.ts'
import { newApiKey } from '../../../secrets/secrets.ts'
import { accountOf } from '../accounts.ts'
import { OperatorError, type RowsCommand, word } from '../command.ts'

export const addBot: RowsCommand = {
  kind: 'rows',
  name: 'add-bot',
  summary: 'Make a bot; prints a zuliprc with its key for the program that acts as the bot',
  words: [
    { name: 'email', meaning: 'address of the bot; nothing is sent there' },
    { name: 'full-name', meaning: 'name that others see' },
    { name: 'owner', meaning: 'address or ID of the person whose bot it is' },
  ],
  async run({ db, secrets, clock, site }, given) {
    const email = accepted(checkEmail(word(given, 'email')))
    const fullName = accepted(checkFullName(word(given, 'full-name')))
    const apiKey = newApiKey()
    await db.transaction(async (tx) => {
      const owner = await accountOf(tx, word(given, 'owner'))
      if (owner.isBot || !owner.isActive) throw new OperatorError(`${owner.email} is no active person`)
      await refuseTakenName(tx, fullName, { isBot: true })
      await createUser(tx, {
        email,
        fullName,
        role: ROLE.member,
        isBot: true,
        botOwnerId: owner.id,
        canCreateUsers: false,
        dateJoined: unixSeconds(clock),
        passwordHash: null,
        ...secrets.storedApiKey(apiKey),
      })
    })
    return ['[api]', `email=${email}`, `key=${apiKey}`, `site=${site.publicUrl}`]
  },
}
