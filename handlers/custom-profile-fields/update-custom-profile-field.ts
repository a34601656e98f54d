import { changeProfileField } from '../../actions/profile-fields.ts'
import type { Handler } from '../handler.ts'

/** PATCH /realm/profile_fields/{field_id}. */
export const updateCustomProfileField: Handler<'update-custom-profile-field'> = async ({ input, write }) => {
  await write((tx) => changeProfileField(tx, input.field_id, input))
  return {}
}
