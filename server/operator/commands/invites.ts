import { invitationLink } from '../../../domain/invitations.ts'
import { roleName } from '../accounts.ts'
import type { RowsCommand } from '../command.ts'

export const invites: RowsCommand = {
  kind: 'rows',
  name: 'invites',
  summary:
    'List all open invitations, one a line: ID, address or -, role, who invites, end or -, link, with tabs between them',
  words: [],
  async run({ db, secrets, site }) {
    const { read } = db
    const open = await read.invitations.open(read.organization.now)
    const inviters = new Map((await read.users.byIds(open.map((one) => one.invitedBy))).map((user) => [user.id, user]))
    const data = open.map(({ id, email, role, invitedBy, expiresAt, keyEncrypted }) => ({
      id,
      email,
      role: roleName(role),
      invited_by: inviters.get(invitedBy)?.email ?? null,
      expires_at: expiresAt === null ? null : new Date(expiresAt * 1000).toISOString(),
      link: invitationLink(site.publicUrl, secrets.decrypt(keyEncrypted)),
    }))
    const lines = data.map((one) =>
      Object.values(one)
        .map((value) => value ?? '-')
        .join('\t'),
    )
    return { data, lines }
  },
}
