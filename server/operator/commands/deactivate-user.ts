import { deactivateUser as deactivate } from '../../../actions/users/change-activity.ts'
import { asActor } from '../../../permissions/actor.ts'
import { accountOf } from '../accounts.ts'
import { type RowsCommand, word } from '../command.ts'

export const deactivateUser: RowsCommand = {
  kind: 'rows',
  name: 'deactivate-user',
  summary: 'Deactivate an account, and the bots of a person with it; nothing that it wrote is deleted',
  words: [{ name: 'account', meaning: 'address or ID of a person or a bot' }],
  async run({ db }, given) {
    const user = await db.transaction(async (tx) => {
      const found = await accountOf(tx, word(given, 'account'))
      // Acts as the user, so that the only owner cannot be deactivated.
      if (found.isActive) await deactivate(tx, asActor(found), found)
      return found
    })
    return { data: { user_id: user.id, email: user.email, is_active: false }, lines: [`${user.email} is deactivated`] }
  },
}
