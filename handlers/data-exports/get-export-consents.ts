import { consents } from '../../exports/consent.ts'
import type { Handler } from '../handler.ts'

/** GET /export/realm/consents. */
export const getExportConsents: Handler<'get-export-consents'> = async ({ db }) => ({
  export_consents: await consents(db.read),
})
