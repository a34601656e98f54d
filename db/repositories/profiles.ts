import type { UserId } from '../../domain/ids.ts'
import type { ProfileValues } from '../../domain/profiles/profile-fields.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { Repository } from '../repository.ts'

/** Number of profiles that are read and written before others are served. Few, because profiles may be long. */
const PROFILES_A_PAGE = 20

/** Writes the values of custom profile fields, which are read with their accounts. */
export class ProfileWriter extends Repository {
  /** Replaces a profile. */
  async replace(id: UserId, values: ProfileValues): Promise<void> {
    const stored = Object.keys(values).length === 0 ? null : JSON.stringify(values)
    await this.session.run('update user set profile_data = ? where id = ?', [stored, id])
  }

  /**
   * Removes values of a field from all profiles; in pages.
   *
   * @param isGone whether to remove a value
   * @returns whether any were removed
   */
  async drop(fieldId: number, isGone: (value: string) => boolean): Promise<boolean> {
    const pauses = new Pauses()
    let hasDropped = false
    for (let after = 0; ; ) {
      const rows = await this.session.all<{ readonly id: UserId; readonly profile_data: string }>(
        'select id, profile_data from user where id > ? and profile_data is not null order by id limit ?',
        [after, PROFILES_A_PAGE],
      )
      for (const { id, profile_data: stored } of rows) {
        const { [fieldId]: dropped, ...values } = JSON.parse(stored) as ProfileValues
        if (!(dropped && isGone(dropped.value))) continue
        await this.replace(id, values)
        hasDropped = true
      }
      const last = rows.at(-1)
      if (rows.length < PROFILES_A_PAGE || last === undefined) return hasDropped
      after = last.id
      await pauses.letOthers()
    }
  }
}
