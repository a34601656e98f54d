import { removeLinkifier as remove } from '../../actions/linkifiers.ts'
import type { Handler } from '../handler.ts'

/** DELETE /realm/filters/{filter_id}. */
export const removeLinkifier: Handler<'remove-linkifier'> = async ({ input, write }) => {
  await write((tx) => remove(tx, input.filter_id))
  return {}
}
