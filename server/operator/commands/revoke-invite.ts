import { endInvitation } from '../../../actions/invitations/invite.ts'
import { isOpen } from '../../../domain/invitations.ts'
import { ADMIN_COMMAND } from '../../command-names.ts'
import { OperatorError, type RowsCommand, word } from '../command.ts'

export const revokeInvite: RowsCommand = {
  kind: 'rows',
  name: 'revoke-invite',
  summary: 'Take an invitation back: nobody joins by its link any more',
  words: [{ name: 'invitation', meaning: 'its ID, as the command invites lists it' }],
  async run({ db }, given) {
    const id = Number(word(given, 'invitation'))
    await db.transaction(async (tx) => {
      const found = Number.isSafeInteger(id) ? await tx.invitations.find(id) : undefined
      if (!found || !isOpen(found, tx.organization.now)) {
        throw new OperatorError(`There is no open invitation ${given.invitation}: ${ADMIN_COMMAND} invites lists all`)
      }
      await endInvitation(tx, found)
    })
    return { data: { id }, lines: [`Invitation ${id} is revoked`] }
  },
}
