import Sqlite from 'better-sqlite3'
import { USER_GROUP_SETTING_NAMES } from '../../domain/user-groups/wire-user-group.ts'

const [LAYERS, WIDTH] = [100, 10]
/** The settings of a thousand groups that list this many fill nearly all room (SEC-GROUPS-2). */
const LISTED = 110

/**
 * Inserts a thousand groups of `creatorId` into the tables: each contains two of the layer below, the last one contains
 * everybody, and each setting lists as many as there is room for.
 *
 * @returns ids of the first and the last
 */
export function seedGroupGraph(file: string, creatorId: number): { readonly top: number; readonly bottom: number } {
  const db = new Sqlite(file)
  try {
    return db.transaction(() => {
      const insert = db.prepare(
        `insert into user_group (name, description, is_system_group, creator_id, created_at, group_settings)
         values (?, '', 0, ?, 0, ?)`,
      )
      const listed = db.prepare('select id from user order by id desc limit ?').pluck().all(LISTED)
      const list = { direct_members: listed.toReversed(), direct_subgroups: [] }
      const settings = JSON.stringify(Object.fromEntries(USER_GROUP_SETTING_NAMES.map((name) => [name, list])))
      const nest = db.prepare('insert into user_group_subgroup (group_id, subgroup_id) values (?, ?)')
      const make = (name: string): number => Number(insert.run(`seeded ${name}`, creatorId, settings).lastInsertRowid)
      const bottom = make('bottom')
      db.prepare('insert into user_group_member (group_id, user_id) select ?, id from user').run(bottom)
      let below = [bottom]
      for (let layer = 1; layer < LAYERS; layer += 1) {
        const made = Array.from({ length: WIDTH }, (_, place) => make(`${layer} ${place}`))
        for (const [place, id] of made.entries()) {
          const inner = new Set([below[place % below.length], below[(place + 1) % below.length]])
          for (const one of inner) nest.run(id, one)
        }
        below = made
      }
      return { top: below[0] ?? bottom, bottom }
    })()
  } finally {
    db.close()
  }
}
