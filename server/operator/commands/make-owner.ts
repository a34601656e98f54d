import { giveRole } from '../../../actions/change-user.ts'
import { ROLE } from '../../../domain/users/roles.ts'
import { accountOf } from '../accounts.ts'
import { OperatorError, type RowsCommand, word } from '../command.ts'

/** The way back in when the last owner has gone. */
export const makeOwner: RowsCommand = {
  kind: 'rows',
  name: 'make-owner',
  summary: 'Make somebody an owner of the organization',
  words: [{ name: 'account', meaning: 'address or ID of an active person' }],
  async run({ db }, given) {
    const user = await db.transaction(async (tx) => {
      const found = await accountOf(tx, word(given, 'account'))
      if (found.isBot) throw new OperatorError('Bots own nothing')
      if (!found.isActive) throw new OperatorError(`${found.email} is deactivated`)
      await giveRole(tx, found, ROLE.owner)
      return found
    })
    return [`${user.fullName} <${user.email}> is an owner`]
  },
}
