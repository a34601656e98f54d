import { removePlayground } from '../../actions/playgrounds.ts'
import type { Handler } from '../handler.ts'

/** DELETE /realm/playgrounds/{playground_id}. */
export const removeCodePlayground: Handler<'remove-code-playground'> = async ({ input, write }) => {
  await write((tx) => removePlayground(tx, input.playground_id))
  return {}
}
