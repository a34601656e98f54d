import { changeOrganizationPicture } from '../../actions/organization/change-organization-picture.ts'
import type { Handler } from '../handler.ts'

/** DELETE /realm/logo. */
export const removeRealmLogo: Handler<'remove-realm-logo'> = async ({ input, write, site }) => {
  await write((tx) => changeOrganizationPicture(tx, input.night ? 'night_logo' : 'logo', undefined, site))
  return {}
}
