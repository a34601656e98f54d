import { addLinkifier as add } from '../../actions/linkifiers.ts'
import type { Handler } from '../handler.ts'

/** POST /realm/filters. */
export const addLinkifier: Handler<'add-linkifier'> = async ({ input, write }) => ({
  id: await write((tx) => add(tx, input)),
})
