import { reorderProfileFields } from '../../actions/profile-fields.ts'
import type { Handler } from '../handler.ts'

/** PATCH /realm/profile_fields. */
export const reorderCustomProfileFields: Handler<'reorder-custom-profile-fields'> = async ({ input, write }) => {
  await write((tx) => reorderProfileFields(tx, input.order))
  return {}
}
