import { changeOrganizationPicture } from '../../actions/organization/change-organization-picture.ts'
import type { Handler } from '../handler.ts'

/** DELETE /realm/icon. */
export const removeRealmIcon: Handler<'remove-realm-icon'> = async ({ write, site }) => ({
  icon_url: await write((tx) => changeOrganizationPicture(tx, 'icon', undefined, site)),
})
