import { type Handler, RawAnswer } from '../handler.ts'

/** GET /openapi.json: the contract of this server, as OpenAPI 3.1. */
export const getOpenapi: Handler<'get-openapi'> = async ({ server }) =>
  new RawAnswer('application/json', await server.document('3.1'))
