import type { Handler } from '../handler.ts'

/** GET /realm/linkifiers. */
export const getLinkifiers: Handler<'get-linkifiers'> = async ({ db }) => ({
  linkifiers: [...db.read.organization.linkifiers.list],
})
