import { toWireExport } from '../../domain/exports.ts'
import type { Handler } from '../handler.ts'

/** GET /export/realm. */
export const getDataExports: Handler<'get-data-exports'> = async ({ db, site }) => ({
  exports: (await db.read.dataExports.all()).map((one) => toWireExport(one, site)),
})
