import { octetsOf, rowsInBytes } from '../pieces.ts'
import type { Session } from '../session.ts'

const WITH_HISTORY = {
  columns: 'id, edit_history as history',
  from: 'from message where edit_history is not null and id > ? order by id',
  bytes: octetsOf(['edit_history']),
  limit: 200,
}
const FILE = /user_uploads\/(\d+\/[0-9a-f]{32}\/)/g

/** Records the files that former versions of messages refer to, because the archive has only their texts. */
export async function linkFormerVersions(session: Session): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await rowsInBytes<{ readonly id: number; readonly history: string }>(session, WITH_HISTORY, [after])
    for (const { id, history } of rows) {
      const places = new Set([...history.matchAll(FILE)].map(([, place = '']) => place))
      for (const place of places) {
        const end = `${place.slice(0, -1)}0` // the character after the slash
        const sql = 'select id from attachment where path_id >= ? and path_id < ?'
        const file = await session.get<{ readonly id: number }>(sql, [place, end])
        if (!file) continue
        const row = { attachment_id: file.id, message_id: id }
        await session.knex('attachment_history').insert(row).onConflict().ignore()
      }
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
