import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

interface CustomProfileFieldRow {
  readonly id: number
  readonly type: number
  readonly position: number
  readonly name: string
  readonly hint: string
  readonly field_data: string
  readonly display_in_profile_summary: number
  readonly is_required: number
  readonly editable_by_user: number
  readonly use_for_user_matching: number
}

/** Fields that the organization added to people’s profiles. */
export class CustomProfileFieldReader extends Repository {
  /** By their order. */
  async all(): Promise<Schemas['CustomProfileField'][]> {
    const rows = await this.session.all<CustomProfileFieldRow>(
      'select * from custom_profile_field order by position, id',
    )
    return rows.map((row) => ({
      id: row.id,
      type: row.type,
      order: row.position,
      name: row.name,
      hint: row.hint,
      field_data: row.field_data,
      // Only clients that know the key at all know it to be true (level 146).
      ...(row.display_in_profile_summary === 1 && { display_in_profile_summary: true }),
      required: row.is_required === 1,
      editable_by_user: row.editable_by_user === 1,
      use_for_user_matching: row.use_for_user_matching === 1,
    }))
  }
}
