import { type Handler, RawAnswer } from '../handler.ts'

/** GET /openapi-3.0.json: the contract, for tools that only support OpenAPI 3.0. */
export const getOpenapi30: Handler<'get-openapi-3-0'> = async ({ server }) =>
  new RawAnswer('application/json', await server.document('3.0'))
