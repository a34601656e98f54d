import { changeOrganization } from '../../actions/change-organization.ts'
import type { Handler } from '../handler.ts'

/** PATCH /realm: everything that is asked for, or nothing. */
export const updateRealm: Handler<'update-realm'> = ({ input, write }) =>
  write((tx, actor) => changeOrganization(tx, actor, input))
