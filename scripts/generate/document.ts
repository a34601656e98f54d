/** The parts of an OpenAPI document that the generator uses. Everything else stays as it is. */

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null'

export interface FeatureLevel {
  from?: number
  until?: number
}

export interface Schema {
  $ref?: string
  type?: JsonType | JsonType[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  deprecated?: boolean
  nullable?: boolean
  example?: unknown
  examples?: unknown[]
  format?: string
  maximum?: number
  pattern?: string
  contentMediaType?: string
  contentSchema?: Schema
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  'x-raw-string'?: boolean | 'verbatim'
  'x-any-integer'?: boolean
  'x-once'?: boolean
  'x-null-bytes'?: boolean
  'x-alias-of'?: string
  /** Order of an array: `ascending`, by a field such as `id`, or with the highest first, `-id`. */
  'x-order'?: string
  /**
   * Documented but not supported yet: refused where it would change something, by the engine or, if that depends on
   * stored data, by the handler.
   */
  'x-refused'?: true | 'by-handler'
  'x-partial'?: boolean
  'x-feature-level'?: FeatureLevel
  'x-feature-levels'?: Record<string, FeatureLevel>
  'x-content-schema'?: Schema
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  deprecated?: boolean
  description?: string
  example?: unknown
  schema: Schema
  'x-feature-level'?: FeatureLevel
  'x-feature-levels'?: Record<string, FeatureLevel>
  'x-alias-of'?: string
  /** A path parameter that matches the rest of the path, slashes included. */
  'x-slashes'?: boolean
}

export interface MediaType {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Response {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, MediaType>
}

export interface RequestBody {
  required?: boolean
  content: Record<string, MediaType>
}

/**
 * Who may do what an operation does, among callers with at least `x-minimum-role`. docs/permissions.md explains each
 * word.
 */
export interface Permission {
  /** Absent for the operation itself, as in its simplest valid request. */
  act?: string
  /** Settings of the organization under which the rule holds. */
  when?: Record<string, unknown>
  /** The minimum role for this act. */
  least?: string
  /** Any one of these is enough; absent: everybody. */
  by?: string[]
  /** The error code for everybody else, with its status if that is not 400; default BAD_REQUEST. */
  otherwise?: string
}

export interface Operation {
  operationId: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: RequestBody
  responses: Record<string, Response>
  security?: Record<string, string[]>[]
  'x-minimum-role'?: string
  'x-humans-only'?: boolean
  'x-for-incoming-webhooks'?: boolean
  'x-former-roles'?: { until: number; role: string }[]
  'x-permissions'?: Permission[]
  'x-parley-only'?: boolean
  'x-undocumented-elsewhere'?: boolean
  'x-ends-service'?: boolean
  'x-envelope'?: boolean
  'x-error-codes'?: string[]
  'x-feature-level'?: FeatureLevel
  'x-decode'?: Record<string, DecodeRule>
  'x-takes-file'?: boolean
}

export interface Server {
  url: string
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]

export type PathItem = { parameters?: Parameter[] } & { [M in Method]?: Operation }

/** An OpenAPI document whose only references are `#/components/schemas/<name>`. */
export interface Document {
  openapi: string
  info: Record<string, unknown>
  servers: Server[]
  security?: Record<string, string[]>[]
  tags?: { name: string }[]
  paths: Record<string, PathItem>
  components: { schemas: Record<string, Schema>; securitySchemes?: Record<string, unknown> }
}

/**
 * How the text of a parameter becomes its value.
 *
 * `string`: as it is. `json`: parsed as JSON. `json-or-string`: parsed as JSON, or as it is if that fails;
 *
 * `json-or-verbatim`: as it is also where JSON gives a string.
 *
 * `type`: the JSON types that the value can have; absent if the schema allows any.
 */
export interface DecodeRule {
  in: 'path' | 'query' | 'form'
  as: 'string' | 'json' | 'json-or-string' | 'json-or-verbatim'
  type?: JsonType | JsonType[]
  aliases: string[]
  /** In the path: whether it matches all of the rest, slashes included. */
  slashes?: boolean
  /** Whether integers outside the range of ids are accepted, as the nearest bound. */
  anyInteger?: boolean
  /** Whether it is refused if it occurs twice in one form. */
  once?: boolean
  /** Whether the operation itself refuses null bytes. */
  nullBytes?: boolean
  /** Whether it is documented but not supported yet, and who refuses it. */
  refused?: true | 'by-handler'
}

export interface LocatedOperation {
  path: string
  method: Method
  item: PathItem
  operation: Operation
}

/** All operations in the order of the path table. */
export function operationsOf(document: Document): LocatedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, item, operation }]
    }),
  )
}

/** The schema of the form body, if the operation has one. */
export function formOf(operation: Operation): Schema | undefined {
  return operation.requestBody?.content[FORM]?.schema
}

/** Whether the body is a file, in a multipart form. */
export function takesFile(operation: Operation): boolean {
  return operation.requestBody?.content[MULTIPART] !== undefined
}

export const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
