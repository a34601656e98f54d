import { addProfileField } from '../../actions/profile-fields.ts'
import type { Handler } from '../handler.ts'

/** POST /realm/profile_fields. */
export const createCustomProfileField: Handler<'create-custom-profile-field'> = async ({ input, write }) => ({
  id: await write((tx) => addProfileField(tx, input.field_type, input)),
})
