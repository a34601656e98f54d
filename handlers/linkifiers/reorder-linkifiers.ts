import { reorderLinkifiers as reorder } from '../../actions/linkifiers.ts'
import type { Handler } from '../handler.ts'

/** PATCH /realm/linkifiers. */
export const reorderLinkifiers: Handler<'reorder-linkifiers'> = async ({ input, write }) => {
  await write((tx) => reorder(tx, input.ordered_linkifier_ids))
  return {}
}
