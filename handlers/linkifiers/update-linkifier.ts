import { changeLinkifier } from '../../actions/linkifiers.ts'
import type { Handler } from '../handler.ts'

/** PATCH /realm/filters/{filter_id}. */
export const updateLinkifier: Handler<'update-linkifier'> = async ({ input, write }) => {
  await write((tx) => changeLinkifier(tx, input.filter_id, input))
  return {}
}
