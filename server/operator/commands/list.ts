import { roleName } from '../accounts.ts'
import type { RowsCommand } from '../command.ts'

export const list: RowsCommand = {
  kind: 'rows',
  name: 'list',
  summary: 'List all accounts, one a line: ID, role, state, address, name, with tabs between them',
  words: [],
  async run({ db }) {
    const users = await db.read.users.all()
    return {
      data: users.map(({ id, role, isActive, isBot, email, fullName }) => ({
        user_id: id,
        role: roleName(role),
        is_bot: isBot,
        is_active: isActive,
        email,
        full_name: fullName,
      })),
      lines: users.map(({ id, role, isActive, isBot, email, fullName }) =>
        [id, isBot ? 'bot' : roleName(role), isActive ? 'active' : 'deactivated', email, fullName].join('\t'),
      ),
    }
  },
}
