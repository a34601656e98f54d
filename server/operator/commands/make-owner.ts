import type { RowsCommand } from '../command.ts'
import { changeRole } from './change-role.ts'

/** Restores access after the last owner has gone. */
export const makeOwner: RowsCommand = {
  kind: 'rows',
  name: 'make-owner',
  summary: 'Make somebody an owner of the organization',
  words: [{ name: 'account', meaning: 'address or ID of an active person' }],
  run: (rows, given) => changeRole.run(rows, { ...given, role: 'owner' }),
}
