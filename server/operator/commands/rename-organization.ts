import { renameOrganization as rename } from '../../../actions/organization/change-organization.ts'
import { type RowsCommand, word } from '../command.ts'

export const renameOrganization: RowsCommand = {
  kind: 'rows',
  name: 'rename-organization',
  summary: 'Give the organization another name',
  words: [{ name: 'name', meaning: '1 to 40 characters' }],
  async run({ db }, given) {
    const name = word(given, 'name')
    await db.transaction((tx) => rename(tx, name))
    return { data: { name }, lines: [`The organization is ${name}`] }
  },
}
