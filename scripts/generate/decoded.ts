import { decodedInput } from './decode.ts'
import type { Document, Operation, Response, Schema } from './document.ts'
import { takesFile } from './document.ts'
import { bare, closed, flattened, mapOperations, mapValues } from './schema.ts'

/**
 * The document the server validates with: without references and descriptions. Each operation has
 *
 * - `requestBody` under application/json: one flat object with all path, query and form parameters as decoded values;
 * there are no `parameters`;
 * - `x-decode`: how each is read from text ({@link DecodeRule});
 * - `x-takes-file`: whether its body is a file, which only the handler reads;
 * - `responses`: the possible answers, with envelope. Objects are closed, so that a field that the contract lacks is
 * noticed.
 * @param wire without references
 */
export function decodedDocument(wire: Document): Document {
  return {
    openapi: wire.openapi,
    info: { title: wire.info.title, version: wire.info.version },
    servers: wire.servers,
    ...(wire.security !== undefined && { security: wire.security }),
    paths: mapOperations(wire.paths, (operation) => decodedOperation(operation, wire)),
    components: {
      schemas: {},
      ...(wire.components.securitySchemes !== undefined && { securitySchemes: wire.components.securitySchemes }),
    },
  }
}

/**
 * The decoded document without answers, which are four fifths of it and only matter to servers that check their
 * answers.
 */
export function requestsDocument(decoded: Document): Document {
  return { ...decoded, paths: mapOperations(decoded.paths, (operation) => ({ ...operation, responses: {} })) }
}

function decodedOperation(operation: Operation, wire: Document): Operation {
  const { parameters: _p, description: _d, summary: _s, ...kept } = operation
  const { schema, rules } = decodedInput(operation, wire)
  return {
    ...kept,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: bare(schema) } },
    },
    responses: mapValues(operation.responses, decodedResponse),
    ...(takesFile(operation) && { 'x-takes-file': true }),
    'x-decode': rules,
  }
}

function decodedResponse(response: Response): Response {
  if (response.content === undefined) return response
  return {
    description: '',
    content: mapValues(response.content, ({ schema }) => ({ schema: answerSchema(schema) })),
  }
}

/** The schema of something the server sends: flat where possible, and closed. Expects a schema without references. */
export function answerSchema(schema: Schema): Schema {
  return bare(closed(flattened(schema)))
}
