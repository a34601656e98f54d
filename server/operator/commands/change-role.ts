import { giveRole, isOnlyOwner } from '../../../actions/users/change-user.ts'
import { ROLE } from '../../../domain/users/roles.ts'
import { ADMIN_COMMAND } from '../../command-names.ts'
import { accountOf, roleOf } from '../accounts.ts'
import { OperatorError, type RowsCommand, word } from '../command.ts'

export const changeRole: RowsCommand = {
  kind: 'rows',
  name: 'change-role',
  summary: 'Give somebody another role; a bot never has a higher one than its owner, and gets another key with one',
  words: [
    { name: 'account', meaning: 'address or ID of an active account' },
    { name: 'role', meaning: 'owner, administrator, moderator, member or guest' },
  ],
  async run({ db, secrets }, given) {
    const [name, role] = [word(given, 'role'), roleOf(word(given, 'role'))]
    const user = await db.transaction(async (tx) => {
      const found = await accountOf(tx, word(given, 'account'))
      if (found.isBot && role === ROLE.owner) throw new OperatorError('Bots own nothing')
      if (!found.isActive) throw new OperatorError(`${found.email} is deactivated`)
      if (role !== ROLE.owner && (await isOnlyOwner(tx, found))) {
        throw new OperatorError(`${found.email} is the only owner: ${ADMIN_COMMAND} make-owner somebody else first`)
      }
      await giveRole(tx, found, role, secrets)
      return found
    })
    return {
      data: { user_id: user.id, email: user.email, role: name },
      lines: [`${user.fullName} <${user.email}> is ${/^[ao]/.test(name) ? 'an' : 'a'} ${name}`],
    }
  },
}
