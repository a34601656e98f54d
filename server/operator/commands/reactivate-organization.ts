import { reactivateOrganization as reactivate } from '../../../actions/organization/deactivate-organization.ts'
import type { RowsCommand } from '../command.ts'

export const reactivateOrganization: RowsCommand = {
  kind: 'rows',
  name: 'reactivate-organization',
  summary: 'Serve everybody again after the organization was deactivated',
  words: [],
  async run({ db }) {
    await db.transaction(async (tx) => {
      if (tx.organization.isDeactivated) await reactivate(tx)
    })
    return { data: { is_deactivated: false }, lines: ['The organization is active'] }
  },
}
