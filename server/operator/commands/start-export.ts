import { startExport as start } from '../../../actions/data-exports.ts'
import { hasRole } from '../../../domain/users/roles.ts'
import { actingPerson } from '../accounts.ts'
import { OperatorError, type RowsCommand } from '../command.ts'
import { TYPE_OPTION, typeOf } from '../export-type.ts'

export const startExport: RowsCommand = {
  kind: 'rows',
  name: 'start-export',
  summary: 'Let the server make an archive that administrators find among the exports of the organization',
  words: [],
  options: [
    TYPE_OPTION,
    {
      name: 'for',
      value: 'ACCOUNT',
      meaning: 'address or ID of the administrator who is told of it; otherwise an owner',
    },
  ],
  async run({ db, clock, site }, given) {
    const wanted = { type: typeOf(given), nowMs: clock.now(), areLimited: false }
    const [id, email] = await db.transaction(async (tx) => {
      const actor = await actingPerson(tx, given.for)
      if (!hasRole(actor.role, 'administrator')) throw new OperatorError(`${actor.email} is no administrator`)
      return [await start(tx, actor, wanted, site), actor.email] as const
    })
    return { data: { export_id: id }, lines: [`Export ${id} is made as long as the server runs; ${email} is told`] }
  },
}
