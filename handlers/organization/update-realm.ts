import { changeOrganization } from '../../actions/organization/change-organization.ts'
import type { Output } from '../../generated/operations.ts'
import type { Handler } from '../handler.ts'

/** PATCH /realm: all changes or none. The answer names texts that have changed, without repeating them. */
export const updateRealm: Handler<'update-realm'> = async ({ input, write }) => {
  const changes = await write((tx, actor) => changeOrganization(tx, actor, input))
  const entries = Object.entries(changes).map(([name, value]) => [name, typeof value === 'string' ? 'updated' : value])
  return Object.fromEntries(entries) as Output<'update-realm'>
}
