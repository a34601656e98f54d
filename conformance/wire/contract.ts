import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Levels } from '../requirements/requirements.ts'

/** The part of JSON Schema 2020-12 that the suite reads itself; Ajv reads the rest. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly contentMediaType?: string
  readonly contentSchema?: Schema
  readonly examples?: readonly unknown[]
  readonly 'x-raw-string'?: boolean | 'verbatim'
  readonly 'x-alias-of'?: string
  readonly 'x-refused'?: true | 'by-handler'
  readonly 'x-feature-level'?: Levels
  /** For single values of `enum`, as text. */
  readonly 'x-feature-levels'?: Readonly<Record<string, Levels>>
  readonly 'x-parley-only'?: boolean
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'form' | 'file'
  readonly required: boolean
  /** Schema of the value itself: for JSON text, of its content. References are followed. */
  readonly schema: Schema
  /** Whether the value is sent as JSON text. */
  readonly isJson: boolean
  /** JSON text, or plain text. */
  readonly isRaw: boolean
  readonly levels: Levels
  readonly parleyOnly: boolean
  /** The parameter whose old name this is. */
  readonly aliasOf: string | undefined
}

/** A refusal of an operation. */
export interface ErrorAnswer {
  /** HTTP status. */
  readonly status: number
  readonly code: string
}

export type Role = 'anonymous' | 'guest' | 'member' | 'moderator' | 'administrator' | 'owner'

export interface Operation {
  readonly id: string
  readonly method: string
  /** With braces, from the root of the server. */
  readonly path: string
  /** Method, path, and the contract's description of the operation. */
  readonly says: string
  readonly minimumRole: Role
  /** Minimum roles up to a level, the oldest first. */
  readonly formerRoles: readonly { readonly until: number; readonly role: Role }[]
  /** Settings of the organization that say who may call it, each a group. */
  readonly groupSettings: ReadonlySet<string>
  /** Other settings of the organization, with the value that refuses some of it. */
  readonly refusedWhen: Readonly<Record<string, unknown>>
  readonly humansOnly: boolean
  readonly parleyOnly: boolean
  /** Whether other servers have it without documenting its answers. */
  readonly undocumented: boolean
  /** Whether the server serves nobody after it. */
  readonly endsService: boolean
  readonly hasEnvelope: boolean
  readonly levels: Levels
  /** Without parameters that Parley does not support (`x-refused`). */
  readonly parameters: readonly Parameter[]
  /** Names of parameters that exist only at other levels, or only on Parley; empty in the contract as written. */
  readonly notThere: ReadonlySet<string>
  /** Whether the server's level has the operation; true in the contract as written. */
  readonly isThere: boolean
  /** Schemas of the answers in JSON, by status. */
  readonly answers: ReadonlyMap<number, Schema>
  /** Content types of the answers, by status. */
  readonly types: ReadonlyMap<number, readonly string[]>
  /** Every refusal in the contract, including those that come with credentials and parameters. */
  readonly errors: readonly ErrorAnswer[]
  /** Whether it answers 404 for a missing item; many operations answer 400. */
  readonly findsNothing: boolean
}

export interface Contract {
  /** The contract's feature level. */
  readonly level: number
  /** By operation id, in the order of the contract. */
  readonly operations: ReadonlyMap<string, Operation>
  readonly schemas: Readonly<Record<string, Schema>>
  readonly errorCodes: ReadonlySet<string>
}

/** The operations after which others can still be called. */
export function harmless({ operations }: Contract): Operation[] {
  return [...operations.values()].filter(({ endsService }) => !endsService)
}

interface WireParameter extends Pick<Schema, 'x-feature-level' | 'x-feature-levels' | 'x-parley-only'> {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface WirePermission {
  readonly by?: readonly string[]
  readonly when?: object
}

interface WireOperation {
  readonly operationId?: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly WireParameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly 'x-minimum-role'?: Role
  readonly 'x-permissions'?: readonly WirePermission[]
  readonly 'x-humans-only'?: boolean
  readonly 'x-former-roles'?: Operation['formerRoles']
  readonly 'x-parley-only'?: boolean
  readonly 'x-undocumented-elsewhere'?: boolean
  readonly 'x-ends-service'?: boolean
  readonly 'x-envelope'?: boolean
  readonly 'x-feature-level'?: Levels
  readonly 'x-error-codes'?: readonly string[]
}

interface WireContract {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

let own: Contract | undefined

/** The contract that comes with the suite. Read once, because a process may run the suite many times. */
export function readContract(): Contract {
  own ??= parseContract(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../generated/wire.json'), 'utf8')) as WireContract,
  )
  return own
}

function parseContract(wire: WireContract): Contract {
  const { schemas } = wire.components
  const operations = Object.entries(wire.paths).flatMap(([path, item]) => {
    const shared = item as Pick<WireOperation, 'parameters'>
    return Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, value]) => operationOf(method, path, shared, value as WireOperation, schemas))
  })
  const codes = Object.values(schemas).flatMap(({ properties }) => {
    const code = properties?.code?.const
    return typeof code === 'string' ? [code] : []
  })
  return {
    level: Number(wire.info.version),
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    schemas,
    errorCodes: new Set(codes),
  }
}

function operationOf(
  method: string,
  path: string,
  shared: Pick<WireOperation, 'parameters'>,
  wire: WireOperation,
  schemas: Contract['schemas'],
): Operation {
  const { operationId } = wire
  if (operationId === undefined) throw new Error(`${method} ${path} has no operationId`)
  const own = [...(shared.parameters ?? []), ...(wire.parameters ?? [])]
  const answers = new Map(
    Object.entries(wire.responses).flatMap(([status, { content }]) => {
      const schema = content?.['application/json']?.schema
      return schema === undefined ? [] : [[Number(status), schema] as const]
    }),
  )
  const [[mediaType, body] = []] = Object.entries(wire.requestBody?.content ?? {})
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    says: `${method.toUpperCase()} ${path}: ${[wire.summary, wire.description ?? ''].join(' ').trim()}`,
    minimumRole: wire['x-minimum-role'] ?? 'guest',
    formerRoles: wire['x-former-roles'] ?? [],
    groupSettings: groupSettingsIn(wire['x-permissions'] ?? []),
    refusedWhen: Object.assign({}, ...(wire['x-permissions'] ?? []).map(({ when }) => when)),
    humansOnly: wire['x-humans-only'] ?? false,
    parleyOnly: wire['x-parley-only'] ?? false,
    undocumented: wire['x-undocumented-elsewhere'] ?? false,
    endsService: wire['x-ends-service'] ?? false,
    hasEnvelope: wire['x-envelope'] ?? true,
    levels: wire['x-feature-level'] ?? {},
    parameters: [
      ...own.flatMap(({ name, in: place, required = false, schema, ...marks }) =>
        isRefused(schema) ? [] : [parameterOf(name, place, required, { ...schema, ...marksOf(marks) }, schemas)],
      ),
      ...formParameters(body?.schema, mediaType === 'multipart/form-data', schemas),
    ],
    answers,
    types: new Map(
      Object.entries(wire.responses).map(([status, { content = {} }]) => [Number(status), Object.keys(content)]),
    ),
    errors: [...answers].flatMap(([status, schema]) =>
      (resolved(schema, schemas).oneOf ?? [schema]).flatMap((one) => {
        const code = resolved(one, schemas).properties?.code?.const
        return typeof code === 'string' ? [{ status, code }] : []
      }),
    ),
    notThere: new Set(),
    isThere: true,
    findsNothing: wire['x-error-codes']?.includes('BAD_REQUEST 404') ?? false,
  }
}

/** The settings in permissions such as `administrator + can_set_topics_policy_group`, without those of channels. */
function groupSettingsIn(permissions: readonly WirePermission[]): ReadonlySet<string> {
  const names = permissions.flatMap(({ by = [] }) => by.flatMap((one) => one.split(' + ')))
  return new Set(names.filter((name) => name.includes('_') && !name.includes('.')))
}

function formParameters(form: Schema | undefined, isMultipart: boolean, schemas: Contract['schemas']): Parameter[] {
  if (form === undefined) return []
  const { properties = {}, required = [] } = resolved(form, schemas)
  const asked = Object.entries(properties).filter(([, schema]) => !isRefused(schema))
  return asked.map(([name, schema]) => {
    const place = isMultipart && schema.contentMediaType !== 'application/json' ? 'file' : 'form'
    return parameterOf(name, place, required.includes(name), schema, schemas)
  })
}

function parameterOf(
  name: string,
  place: Parameter['in'],
  required: boolean,
  schema: Schema,
  schemas: Contract['schemas'],
): Parameter {
  const outer = resolved(schema, schemas)
  const isJson = outer.contentMediaType === 'application/json'
  return {
    name,
    in: place,
    required,
    schema: isJson && outer.contentSchema ? resolved(outer.contentSchema, schemas) : outer,
    isJson,
    isRaw: outer['x-raw-string'] !== undefined,
    levels: outer['x-feature-level'] ?? {},
    parleyOnly: outer['x-parley-only'] ?? false,
    aliasOf: outer['x-alias-of'],
  }
}

/** Parameters that Parley does not support say nothing about other servers, so no check uses them. */
function isRefused(schema: Schema): boolean {
  return schema['x-refused'] !== undefined
}

/** A parameter's own marks take precedence over those of its schema. */
function marksOf(marks: Omit<WireParameter, 'name' | 'in' | 'schema' | 'required'>): Partial<Schema> {
  return Object.fromEntries(Object.entries(marks).filter(([name]) => name.startsWith('x-')))
}

/** The schemas that a schema refers to or combines; empty if it refers to none. */
export function innerSchemas({ $ref, anyOf = [], oneOf = [], allOf = [] }: Schema, schemas: Contract['schemas']) {
  const target = $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) ?? '']
  return [...(target ? [target] : []), ...anyOf, ...oneOf, ...allOf]
}

/** The contract of a server: its operations know whether its level has them, and have the parameters of its level. */
export function contractOf(contract: Contract, { level, isParley }: { level: number; isParley: boolean }): Contract {
  const isThere = ({ levels, parleyOnly }: Parameter | Operation): boolean =>
    holds(levels, level) && (isParley || !parleyOnly)
  const operations = [...contract.operations].map(([id, operation]): [string, Operation] => {
    const { parameters } = operation
    const others = parameters.filter((one) => !isThere(one))
    return [
      id,
      {
        ...operation,
        parameters: parameters.filter(isThere),
        notThere: new Set(others.map(({ name }) => name)),
        isThere: isThere(operation),
      },
    ]
  })
  return { ...contract, operations: new Map(operations) }
}

/** The minimum role of an operation at a feature level. */
export function minimumRoleAt({ minimumRole, formerRoles }: Operation, level: number): Role {
  return formerRoles.find(({ until }) => level <= until)?.role ?? minimumRole
}

/** The parameter without values of other levels; if only true and false remain, it is a boolean. */
export function parameterAt(parameter: Parameter, level: number): Parameter {
  const { enum: listed, 'x-feature-levels': levels = {} } = parameter.schema
  if (listed === undefined) return parameter
  const known = listed.filter((value) => holds(levels[String(value)] ?? {}, level))
  const isBoolean = known.toSorted().join() === 'false,true'
  const { enum: _, ...schema } = parameter.schema
  return { ...parameter, schema: isBoolean ? { ...schema, type: 'boolean' } : { ...schema, enum: known } }
}

/** The schema that `schema` refers to, with the siblings of the reference. */
function resolved(schema: Schema, schemas: Contract['schemas']): Schema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.replace('#/components/schemas/', '')
  const target = schemas[name]
  if (target === undefined) throw new Error(`${schema.$ref} is not in the contract`)
  const { $ref: _, ...beside } = schema
  return { ...resolved(target, schemas), ...beside }
}

export function holds({ from = 0, until = Number.POSITIVE_INFINITY }: Levels, level: number): boolean {
  return from <= level && level <= until
}
