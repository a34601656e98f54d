import type { Handler } from '../handler.ts'

/** GET /openapi.json: the contract of this server, as OpenAPI 3.1. */
export const getOpenapi: Handler<'get-openapi'> = ({ server }) => server.document('3.1')
