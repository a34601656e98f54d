import { UnknownUrlError } from '../../domain/errors.ts'
import { FileAnswer, type Handler } from '../handler.ts'

/**
 * GET /static/{file_name}: pictures of the organization, for clients that show them before anybody logs in, and of
 * built-in emoji.
 */
export const getStaticFile: Handler<'get-static-file'> = async ({ input, server }) => {
  const bytes = await server.picture(input.file_name)
  if (!bytes) throw new UnknownUrlError()
  return new FileAnswer('image/png', bytes)
}
