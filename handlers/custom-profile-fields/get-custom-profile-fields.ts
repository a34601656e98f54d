import type { Handler } from '../handler.ts'

/** GET /realm/profile_fields. */
export const getCustomProfileFields: Handler<'get-custom-profile-fields'> = async ({ db }) => ({
  custom_fields: await db.read.customProfileFields.all(),
})
