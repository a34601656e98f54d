import { removeExport } from '../../actions/data-exports.ts'
import type { Handler } from '../handler.ts'

/** DELETE /export/realm/{export_id}. The bytes go last: no list names an archive that is not there. */
export const removeDataExport: Handler<'remove-data-export'> = async ({ input, write, site, exports }) => {
  await exports.store.remove(await write((tx) => removeExport(tx, input.export_id, site)))
  return {}
}
