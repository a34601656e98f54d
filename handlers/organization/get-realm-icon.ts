import { organizationPicture } from '../../views/organization-picture.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/** GET /realm/icon. */
export const getRealmIcon: Handler<'get-realm-icon'> = async ({ db, server }) =>
  new RawAnswer('image/png', await organizationPicture(db.read, 'icon', (name) => server.picture(name)))
