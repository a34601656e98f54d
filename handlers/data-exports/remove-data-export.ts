import { removeExport } from '../../actions/data-exports.ts'
import type { Handler } from '../handler.ts'

/** DELETE /export/realm/{export_id}. The bytes are removed last, so that no list names a missing archive. */
export const removeDataExport: Handler<'remove-data-export'> = async ({ input, write, site, exports }) => {
  await exports.store.remove(await write((tx) => removeExport(tx, input.export_id, site)))
  return {}
}
