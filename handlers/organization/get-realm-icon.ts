import { organizationPicture } from '../../views/organization-picture.ts'
import { FileAnswer, type Handler } from '../handler.ts'

/** GET /realm/icon. */
export const getRealmIcon: Handler<'get-realm-icon'> = async ({ db, server }) =>
  new FileAnswer('image/png', await organizationPicture(db.read, 'icon', (name) => server.picture(name)))
