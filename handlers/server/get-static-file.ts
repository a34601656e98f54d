import { UnknownUrlError } from '../../domain/errors.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/**
 * GET /static/{file_name}: pictures of the organization, for clients that show them before anybody logs in, and of
 * built-in emoji.
 */
export const getStaticFile: Handler<'get-static-file'> = async ({ input, server }) => {
  const bytes = await server.picture(input.file_name)
  if (!bytes) throw new UnknownUrlError()
  return new RawAnswer('image/png', bytes)
}
