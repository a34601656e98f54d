import type { ProfileField } from '../../domain/profiles/profile-fields.ts'
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

/** Custom profile fields of the organization. */
export class CustomProfileFieldReader extends Repository {
  /** In order. */
  async all(): Promise<ProfileField[]> {
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
      // Clients expect this key only if it is true (level 146).
      ...(row.display_in_profile_summary === 1 && { display_in_profile_summary: true }),
      required: row.is_required === 1,
      editable_by_user: row.editable_by_user === 1,
      use_for_user_matching: row.use_for_user_matching === 1,
    }))
  }
}

export class CustomProfileFieldWriter extends CustomProfileFieldReader {
  /** @returns its ID, which is never used again */
  async insert(field: Omit<ProfileField, 'id'>): Promise<number> {
    const [id = 0] = await this.session.knex('custom_profile_field').insert({ type: field.type, ...columns(field) })
    return id
  }

  /** Updates everything except the type. */
  async update(field: ProfileField): Promise<void> {
    await this.session.knex('custom_profile_field').where({ id: field.id }).update(columns(field))
  }

  async delete(id: number): Promise<void> {
    await this.session.run('delete from custom_profile_field where id = ?', [id])
  }
}

function columns(field: Omit<ProfileField, 'id'>) {
  return {
    position: field.order,
    name: field.name,
    hint: field.hint,
    field_data: field.field_data,
    display_in_profile_summary: field.display_in_profile_summary ?? false,
    is_required: field.required,
    editable_by_user: field.editable_by_user,
    use_for_user_matching: field.use_for_user_matching,
  }
}
