import type { UserId } from '../../domain/ids.ts'
import type { ProfileValues } from '../../domain/profiles/profile-fields.ts'
import { Pauses } from '../pauses.ts'
import { inPages } from '../pieces.ts'
import { Repository } from '../repository.ts'

/** Writes what people said in the fields that the organization added. It is read with their accounts. */
export class ProfileWriter extends Repository {
  /** What a profile says from now on. */
  async replace(id: UserId, values: ProfileValues): Promise<void> {
    const stored = Object.keys(values).length === 0 ? null : JSON.stringify(values)
    await this.session.run('update user set profile_data = ? where id = ?', [stored, id])
  }

  /**
   * Takes values of a field out of all profiles; in pages.
   * @param isGone whether this value goes
   * @returns whether there were any
   */
  async drop(fieldId: number, isGone: (value: string) => boolean, pauses = new Pauses()): Promise<boolean> {
    const page = (after: number, limit: number) =>
      this.session.all<{ id: UserId; profile_data: string }>(
        'select id, profile_data from user where id > ? and profile_data is not null order by id limit ?',
        [after, limit],
      )
    const without = ({ id, profile_data: stored }: { readonly id: UserId; readonly profile_data: string }) => {
      const { [fieldId]: dropped, ...values } = JSON.parse(stored) as ProfileValues
      return dropped && isGone(dropped.value) ? { id, values } : undefined
    }
    const changed = (await inPages(page, ({ id }) => id, without, pauses)).filter((one) => one !== undefined)
    for (const { id, values } of changed) {
      await this.replace(id, values)
      await pauses.letOthers()
    }
    return changed.length > 0
  }
}
