import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { OpenAPIBackend, type ValidationResult } from 'openapi-backend'
import { AnswerMismatchError, answerMismatch } from './answer-mismatch.ts'
import { type DecodeRule, decodeInput, type Pair } from './decode.ts'
import { parameterError } from './parameter-errors.ts'
import { refusedParameters, refuseWishes } from './refused-parameters.ts'
import { type Match, type RoutedOperation, RouteTable } from './route.ts'

/** An operation of generated/decoded.json with its method. */
export interface ContractOperation extends RoutedOperation {
  readonly 'x-decode': Readonly<Record<string, DecodeRule>>
  /** By status code, as text. */
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >
  /** One of these is required; empty for operations without credentials. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly 'x-minimum-role'?: string
  readonly 'x-humans-only'?: boolean
  readonly 'x-parley-only'?: boolean
  /** Whether incoming webhook bots may call it. */
  readonly 'x-for-incoming-webhooks'?: boolean
  readonly 'x-envelope'?: boolean
  /** The body is a multipart form with a file, which the handler reads. */
  readonly 'x-takes-file'?: boolean
}

/** A request before it is interpreted. */
export interface Incoming<Request> {
  readonly match: Match<ContractOperation>
  readonly query: readonly Pair[]
  readonly form: readonly Pair[]
  /** The caller's own object, passed through unchanged. */
  readonly request: Request
}

/** A request that fits the contract. */
export interface Call<Request, Actor> {
  readonly operation: ContractOperation
  readonly request: Request
  /** Undefined for operations without credentials. */
  readonly actor: Actor | undefined
  /** Flat and typed, with defaults. */
  readonly input: Readonly<Record<string, unknown>>
  /** Names of parameters that the operation does not have (ENV-11). */
  readonly ignored: readonly string[]
  /**
   * Same call with the form that came with a file, which the handler reads. @throws {ApiError} as if the form had come
   * first
   */
  withForm(form: readonly Pair[]): Pick<Call<Request, Actor>, 'input' | 'ignored'>
}

export interface ContractOptions<Handler, Request, Actor, Answer> {
  /** generated/decoded.json, or requests.json, with which answers cannot be checked */
  readonly definition: object
  /** By operationId: exactly one for each operation. */
  readonly handlers: Readonly<Record<string, Handler>>
  /** Authenticates the caller. @throws ApiError */
  authenticate(request: Request): Actor | Promise<Actor>
  /** Refuses actors who may not call the operation at all. @throws ApiError */
  authorize(operation: ContractOperation, actor: Actor | undefined): void | Promise<void>
  run(handler: Handler, call: Call<Request, Actor>): Answer | Promise<Answer>
}

export interface Contract<Request, Answer> {
  readonly operations: readonly ContractOperation[]
  /** @throws UnknownUrlError, MethodNotAllowedError, BadRequestError */
  match(method: string, path: string): Match<ContractOperation>
  /** Methods of a path, for OPTIONS. @throws UnknownUrlError */
  allowed(path: string): readonly string[]
  /**
   * Authenticates, decodes, validates, authorizes, refuses unsupported parameters, and runs the handler, in this order.
   * @throws ApiError, and errors of the caller's functions
   */
  handle(incoming: Incoming<Request>): Promise<Answer>
  /** @throws AnswerMismatchError if the answer, which may be an error, does not fit the contract */
  checkAnswer(operationId: string, status: number, body: unknown): void
}

const NOTHING = Object.freeze({})
const NO_ERRORS: readonly ErrorObject[] = Object.freeze([])
const SECURITY_SCHEME = 'basicAuth'

/**
 * One request on its way through openapi-backend. Has the shape of its ParsedRequest, so that nothing is parsed twice.
 */
class BackendCall<Request, Actor> implements Call<Request, Actor> {
  readonly path: string
  readonly method: string
  readonly headers = NOTHING
  readonly query = NOTHING
  readonly params = NOTHING
  readonly cookies = NOTHING
  requestBody: Record<string, unknown> = {}
  ignored: readonly string[] = []
  actor: Actor | undefined = undefined
  readonly incoming: Incoming<Request>

  constructor(incoming: Incoming<Request>) {
    this.incoming = incoming
    this.path = incoming.match.operation.path
    this.method = incoming.match.operation.method
  }
  withForm: Call<Request, Actor>['withForm'] = () => this
  get operation(): ContractOperation {
    return this.incoming.match.operation
  }
  get request(): Request {
    return this.incoming.request
  }
  get input(): Readonly<Record<string, unknown>> {
    return this.requestBody
  }
}

/**
 * The contract as an engine: openapi-backend holds operations and handlers, runs the security handler and validates
 * requests and answers. Parts that it does too slowly or not at all are replaced here and nowhere else (docs/decisions,
 * "One engine, bent in one file").
 *
 * @throws Error if an operation has no handler, a handler no operation, or a security scheme is not `basicAuth`
 */
export async function createContract<Handler, Request, Actor, Answer>(
  options: ContractOptions<Handler, Request, Actor, Answer>,
): Promise<Contract<Request, Answer>> {
  const callOf = ({ request }: { request: unknown }) => request as BackendCall<Request, Actor>
  const { handlers } = options
  const api = new OpenAPIBackend({
    definition: options.definition as never,
    strict: true,
    // Validators are compiled at the first request of an operation: 2 ms each, instead of seconds at the start.
    quick: true,
  })
  // `quick` starts this step without awaiting it. Only a file path would need it.
  api.loadDocument = async () => api.document
  await api.init()

  const operations = replaceRouter(api)
  const validateInput = replaceValidator(api)
  refuseGaps(operations, handlers)

  api.registerSecurityHandler(SECURITY_SCHEME, async (context) => {
    const call = callOf(context)
    call.actor = await options.authenticate(call.request)
    return true
  })
  api.register({
    // The error that the security handler threw, which openapi-backend returned as a result.
    unauthorizedHandler: ({ security }) => {
      throw security[SECURITY_SCHEME]?.error ?? new Error('refused without an error')
    },
    // Decode only after authentication, so that an anonymous caller learns nothing about parameters (docs/decisions,
    // "Credentials before the body").
    postSecurityHandler: (context) => {
      const call = callOf(context)
      if (call.operation.security.length > 0 && context.security.authorized !== true) return
      const { match, query, form } = call.incoming
      const { input, ignored } = decodeInput(match.operation, { pathParameters: match.pathParameters, query, form })
      call.requestBody = input
      call.ignored = ignored
    },
    validationFail: ({ validation, request }) => {
      throw parameterError(validation.errors ?? [], request.requestBody)
    },
    preOperationHandler: (context) => {
      const { operation, actor } = callOf(context)
      return options.authorize(operation, actor)
    },
    notFound: impossible('a matched request was not found'),
    methodNotAllowed: impossible('a matched request has another method'),
    notImplemented: impossible('an operation without a handler'),
  })
  const routes = new RouteTable(operations)
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]))
  for (const [operationId, handler] of Object.entries(handlers)) {
    const operation = byId.get(operationId)
    const refused = operation === undefined ? [] : refusedParameters(operation)
    api.register(operationId, (context) => {
      const call = callOf(context)
      refuseWishes(refused, call.input)
      if (operation?.['x-takes-file']) {
        call.withForm = (form) => {
          const { match, query } = call.incoming
          const { pathParameters } = match
          const { input, ignored } = decodeInput(operation, { pathParameters, query, form })
          const { errors } = validateInput({ requestBody: input }, operation)
          if (errors) throw parameterError(errors, input)
          refuseWishes(refused, input)
          return { input, ignored }
        }
      }
      return options.run(handler, call)
    })
  }
  return {
    operations,
    match: (method, path) => routes.match(method, path),
    allowed: (path) => routes.allowed(path),
    handle: (incoming) => api.handleRequest(new BackendCall<Request, Actor>(incoming) as never),
    checkAnswer(operationId, status, body) {
      const operation = byId.get(operationId)
      const response = operation?.responses[status]
      if (operation === undefined || response === undefined) {
        throw new AnswerMismatchError(operationId, status, '', 'a status of the contract', status)
      }
      const schema = response.content?.['application/json']?.schema
      if (schema === undefined) return
      const validate = answerValidator(schema)
      if (!validate(body)) throw answerMismatch(operationId, status, validate.errors ?? [])
    },
  }
}

/** All members are public, so the code does not compile after an upgrade of openapi-backend that renames one. */
type MembersOf<T> = Partial<Record<keyof T, unknown>>

/**
 * Replaces the router of openapi-backend, which compiles a RegExp per path and request, and clones query, headers and
 * cookies three times.
 */
function replaceRouter(api: OpenAPIBackend): readonly ContractOperation[] {
  const { router } = api
  const operations = router.getOperations() as unknown as ContractOperation[]
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]))
  Object.assign(router, {
    getOperations: () => operations,
    getOperation: (operationId: string) => byId.get(operationId),
    matchOperation: (call: BackendCall<unknown, unknown>) => call.operation,
    parseRequest: (call: BackendCall<unknown, unknown>) => call,
  } satisfies MembersOf<typeof router>)
  return operations
}

type ValidateInput = (
  request: Pick<BackendCall<unknown, unknown>, 'requestBody'>,
  operation: ContractOperation,
) => ValidationResult

/**
 * Replaces the Ajv of openapi-backend, which is of draft 7, new for every operation, and coerces path and query, by a
 * shared one of 2020-12 that does not coerce and fills in defaults.
 */
function replaceValidator({ validator }: OpenAPIBackend): ValidateInput {
  const forInput = newAjv({ useDefaults: true })
  // The replaced function uses five functions of lodash to look for other parameters, of which there are none.
  const validateRequest: ValidateInput = ({ requestBody }, { operationId }) => {
    const checked = { requestBody }
    const validators = validator.getRequestValidatorsForOperation(operationId) ?? []
    const errors = validators.flatMap((validate) => (validate(checked) ? NO_ERRORS : (validate.errors ?? NO_ERRORS)))
    return { valid: errors.length === 0, errors: errors.length === 0 ? null : errors }
  }
  Object.assign(validator, { getAjv: () => forInput, validateRequest } satisfies MembersOf<typeof validator>)
  return validateRequest
}

/**
 * Keyed by the text of a schema, because most refusals of all operations are alike, and tests start many servers in one
 * process.
 */
const validatorsOfText = new Map<string, ValidateFunction>()
/** Keyed by the schema itself, so that a text of 200 KB is not made again for every answer. */
const validatorsOfSchema = new WeakMap<object, ValidateFunction>()
let forAnswers: Ajv2020 | undefined

/** Returns a validator for one answer of one operation, compiled when that answer first occurs in this process. */
function answerValidator(schema: object): ValidateFunction {
  const known = validatorsOfSchema.get(schema)
  if (known !== undefined) return known
  const text = JSON.stringify(schema)
  forAnswers ??= newAjv()
  const validate = validatorsOfText.get(text) ?? forAnswers.compile(schema)
  validatorsOfText.set(text, validate)
  validatorsOfSchema.set(schema, validate)
  return validate
}

/**
 * Uses `verbose`, because our error messages contain schema and value. The contract itself was checked when it was
 * generated. Ajv's code optimizer is off: it takes two thirds of the compile time and saves nothing.
 */
function newAjv(more: { useDefaults?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    verbose: true,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
    ...more,
  })
  formats.default(ajv)
  return ajv
}

function refuseGaps(operations: readonly ContractOperation[], handlers: Readonly<Record<string, unknown>>): void {
  for (const { operationId, security } of operations) {
    if (!Object.hasOwn(handlers, operationId)) throw new Error(`operation ${operationId} has no handler`)
    const unknown = security.flatMap(Object.keys).find((scheme) => scheme !== SECURITY_SCHEME)
    if (unknown !== undefined) throw new Error(`operation ${operationId}: nothing checks security scheme ${unknown}`)
  }
}

function impossible(what: string): () => never {
  return () => {
    throw new Error(`openapi-backend: ${what}`)
  }
}
