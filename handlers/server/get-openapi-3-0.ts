import type { Handler } from '../handler.ts'

/** GET /openapi-3.0.json: the same for tools that know only OpenAPI 3.0. */
export const getOpenapi30: Handler<'get-openapi-3-0'> = ({ server }) => server.document('3.0')
