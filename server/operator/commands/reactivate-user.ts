import { reactivateUser as reactivate } from '../../../actions/users/change-activity.ts'
import { accountOf, actingPerson } from '../accounts.ts'
import { type RowsCommand, word } from '../command.ts'

export const reactivateUser: RowsCommand = {
  kind: 'rows',
  name: 'reactivate-user',
  summary:
    'Reactivate an account; a bot whose owner is deactivated gets another key, and an owner of the organization as its own',
  words: [{ name: 'account', meaning: 'address or ID of a person or a bot' }],
  async run({ db, secrets }, given) {
    const user = await db.transaction(async (tx) => {
      const found = await accountOf(tx, word(given, 'account'))
      await reactivate(tx, await actingPerson(tx, undefined), found, secrets)
      return found
    })
    return { data: { user_id: user.id, email: user.email, is_active: true }, lines: [`${user.email} is active`] }
  },
}
