import { deactivateOrganization as deactivate } from '../../../actions/organization/deactivate-organization.ts'
import type { RowsCommand } from '../command.ts'

export const deactivateOrganization: RowsCommand = {
  kind: 'rows',
  name: 'deactivate-organization',
  summary: 'Serve nobody until the organization is reactivated',
  words: [],
  async run({ db }) {
    await db.transaction(async (tx) => {
      if (!tx.organization.isDeactivated) await deactivate(tx)
    })
    return { data: { is_deactivated: true }, lines: ['The organization is deactivated'] }
  },
}
