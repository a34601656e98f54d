import { removeProfileField } from '../../actions/profile-fields.ts'
import type { Handler } from '../handler.ts'

/** DELETE /realm/profile_fields/{field_id}. */
export const removeCustomProfileField: Handler<'remove-custom-profile-field'> = async ({ input, write }) => {
  await write((tx) => removeProfileField(tx, input.field_id))
  return {}
}
