import { addPlayground } from '../../actions/playgrounds.ts'
import type { Handler } from '../handler.ts'

/** POST /realm/playgrounds. */
export const addCodePlayground: Handler<'add-code-playground'> = async ({ input, write }) => ({
  id: await write((tx) => addPlayground(tx, input)),
})
