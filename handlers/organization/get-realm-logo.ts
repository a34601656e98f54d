import { organizationPicture } from '../../views/organization-picture.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/** GET /realm/logo. */
export const getRealmLogo: Handler<'get-realm-logo'> = async ({ input, db, server }) => {
  const kind = input.night ? 'night_logo' : 'logo'
  return new RawAnswer('image/png', await organizationPicture(db.read, kind, (name) => server.picture(name)))
}
