/**
 * Errors of the API, with the codes of openapi/errors.yaml. They are thrown where the problem is found and become JSON
 * in one place, server/respond.ts.
 */
export abstract class ApiError extends Error {
  override readonly name = this.constructor.name
  abstract readonly code: string
  readonly status: number = 400
  /** Fields besides `result`, `msg` and `code`, at the top level of the answer (ERR-4). */
  readonly data: Readonly<Record<string, unknown>> = {}
  /** Headers besides the usual ones. */
  readonly headers: Readonly<Record<string, string>> = {}
}

/** The general code, for all refusals that have no code of their own (ERR-5 to ERR-15). */
export class BadRequestError extends ApiError {
  readonly code = 'BAD_REQUEST'
}

/** A refusal with a code that is thrown in one place. */
export class CodedError extends ApiError {
  readonly code: string
  override readonly status: number
  override readonly data: Readonly<Record<string, unknown>>
  constructor(code: string, message: string, more: Partial<Pick<ApiError, 'status' | 'data'>> & ErrorOptions = {}) {
    super(message, more)
    this.code = code
    this.status = more.status ?? 400
    this.data = more.data ?? {}
  }
}

/**
 * A message that the caller may not see gives the same answer as one that does not exist (MSG-GET-8, MSG-GET-9,
 * MSG-GET-10).
 */
export class InvalidMessageError extends BadRequestError {
  constructor() {
    super('Invalid message(s)')
  }
}

/** The channel is archived: it can be read, but nothing in it can change (REACT-11). */
export class ArchivedChannelError extends BadRequestError {
  constructor() {
    super('The channel is archived: nothing in it can change')
  }
}

/** Guests cannot do this at all. */
export class NotForGuestsError extends BadRequestError {
  constructor() {
    super('Not allowed for guest users')
  }
}

/** The account does not exist, or the caller may not know it (USER-UPD-14). */
export class NoSuchUserError extends BadRequestError {
  constructor() {
    super('No such user')
  }
}

/** The caller has no such item. The answer is the same for items of others (ERR-HTTP-1). */
export class NoSuchItemError extends BadRequestError {
  override readonly status = 404
}

/** The parameter is documented but not supported yet, and this value would have changed something (`x-refused`). */
export class UnsupportedParameterError extends BadRequestError {
  constructor(parameter: string) {
    super(`${parameter} is not supported yet; nothing was changed`)
  }
}

/** A required parameter is missing (ENV-18). */
export class MissingParameterError extends ApiError {
  readonly code = 'REQUEST_VARIABLE_MISSING'
  override readonly data: { readonly var_name: string }
  constructor(parameter: string) {
    super(`Missing '${parameter}' argument`)
    this.data = { var_name: parameter }
  }
}

/** A parameter and its alias were both sent (MSG-EDIT-10). */
export class ConfusingParametersError extends ApiError {
  readonly code = 'REQUEST_CONFUSING_VAR'
  override readonly data: { readonly var_name1: string; readonly var_name2: string }
  constructor(first: string, second: string) {
    super(`Can't decide between '${first}' and '${second}' arguments`)
    this.data = { var_name1: first, var_name2: second }
  }
}

/** Parameters that exclude each other, or a parameter that is useless without another. */
export class IncompatibleParametersError extends BadRequestError {
  override readonly data: { readonly parameters: string }
  constructor(parameters: readonly string[]) {
    const list = parameters.join(', ')
    super(`Unsupported parameter combination: ${list}`)
    this.data = { parameters: list }
  }
}

/** The URL does not exist (ERR-HTTP-6). The error has the general code, because every error has a code (NOTE-20). */
export class UnknownUrlError extends BadRequestError {
  override readonly status = 404
  constructor() {
    super('There is nothing at this URL')
  }
}

/** The URL exists, but not with this method (ERR-HTTP-5). */
export class MethodNotAllowedError extends BadRequestError {
  override readonly status = 405
  override readonly data: { readonly allowed_methods: readonly string[] }
  override readonly headers: Readonly<Record<string, string>>
  constructor(allowed: readonly string[]) {
    super('Method Not Allowed')
    this.data = { allowed_methods: allowed }
    this.headers = { Allow: allowed.join(', ') }
  }
}

/** The body is larger than any operation accepts. */
export class BodyTooLargeError extends BadRequestError {
  override readonly status = 413
  /** @param limitBytes the largest body that is read */
  constructor(limitBytes: number) {
    super(`The request body is larger than ${limitBytes} bytes`)
  }
}

/** The body did not arrive in time. */
export class BodyTooSlowError extends BadRequestError {
  override readonly status = 408
  constructor() {
    super('The request body arrives too slowly')
  }
}

/** The uploaded file is larger than the server accepts. */
export class FileTooLargeError extends BadRequestError {
  override readonly status = 413
  /** @param limitMib the largest file that is accepted */
  constructor(limitMib: number) {
    super(`The file is too large: this server takes at most ${limitMib} MiB`)
  }
}

/** The uploaded file does not exist, or the caller may not see it. */
export class UnknownFileError extends BadRequestError {
  override readonly status = 404
  constructor() {
    super('There is no such file')
  }
}

/** The file does not have this range of bytes. */
export class RangeNotSatisfiableError extends BadRequestError {
  override readonly status = 416
  override readonly headers: Readonly<Record<string, string>>
  /** @param size of the file in bytes */
  constructor(size: number) {
    super('The file ends before the requested range')
    this.headers = { 'Content-Range': `bytes */${size}` }
  }
}

/** No operation reads this content type. */
export class UnsupportedContentTypeError extends BadRequestError {
  override readonly status = 415
  constructor(contentType: string, read = 'application/x-www-form-urlencoded or multipart/form-data') {
    super(`Content type '${contentType}' is not read here: send parameters as ${read}`)
  }
}

/** Missing or malformed credentials (AUTH-2, AUTH-17). */
export class UnauthorizedError extends ApiError {
  readonly code = 'UNAUTHORIZED'
  override readonly status = 401
  override readonly headers = { 'WWW-Authenticate': 'Basic realm="zulip"' }
  constructor(message = 'Not logged in: API authentication or user session required') {
    super(message)
  }
}

/** The key does not belong to this address (AUTH-3, AUTH-4, AUTH-18). */
export class InvalidApiKeyError extends ApiError {
  readonly code = 'INVALID_API_KEY'
  override readonly status = 401
  override readonly headers = { 'WWW-Authenticate': 'Basic realm="zulip"' }
  constructor(message: 'Invalid API key' | 'Malformed API key' = 'Invalid API key') {
    super(message)
  }
}

/** The account is deactivated (AUTH-19). */
export class UserDeactivatedError extends ApiError {
  readonly code = 'USER_DEACTIVATED'
  override readonly status = 401
  constructor() {
    super('Account is deactivated')
  }
}

/** Wrong address or password in POST /fetch_api_key. */
export class AuthenticationFailedError extends ApiError {
  readonly code = 'AUTHENTICATION_FAILED'
  override readonly status = 401
  constructor() {
    super('Your username or password is incorrect')
  }
}

/** Wrong `old_password` in PATCH /settings. */
export class WrongPasswordError extends BadRequestError {
  constructor() {
    super('Wrong password!')
  }
}

/** The operation is for administrators or owners (AUTH-6 to AUTH-11, ERR-22). */
export class UnauthorizedPrincipalError extends ApiError {
  readonly code = 'UNAUTHORIZED_PRINCIPAL'
  constructor(needed: 'administrator' | 'owner' | 'moderator' = 'administrator') {
    super(`Must be an organization ${needed}`)
  }
}

/** The channel of a message does not exist, or the caller may not see it. */
export class ChannelDoesNotExistError extends ApiError {
  readonly code = 'STREAM_DOES_NOT_EXIST'
  override readonly data: { readonly stream: string } | { readonly stream_id: number }
  constructor(channel: string | number) {
    super(
      typeof channel === 'number'
        ? `Channel with ID '${channel}' does not exist`
        : `Channel '${channel}' does not exist`,
    )
    this.data = typeof channel === 'number' ? { stream_id: channel } : { stream: channel }
  }
}

/** The caller may know the channel, but not send to it. */
export class NotAuthorizedToSendError extends BadRequestError {
  constructor(channelName: string) {
    super(`Not authorized to send to channel '${channelName}'`)
  }
}

/** A narrow with an unknown operator or an invalid operand. */
export class BadNarrowError extends ApiError {
  readonly code = 'BAD_NARROW'
  override readonly data: { readonly desc: string }
  constructor(desc: string, message = `Invalid narrow operator: ${desc}`) {
    super(message)
    this.data = { desc }
  }
}

/** A narrow with terms that exclude each other. */
export class NarrowCombinationError extends BadNarrowError {
  constructor(desc: string) {
    super(desc, `Invalid narrow operator combination: ${desc}`)
  }
}

/** The event queue is unknown, expired, or somebody else's (EVENTS-13). */
export class BadEventQueueIdError extends ApiError {
  readonly code = 'BAD_EVENT_QUEUE_ID'
  override readonly data: { readonly queue_id: string }
  constructor(queueId: string) {
    super(`Bad event queue ID: ${queueId}`)
    this.data = { queue_id: queueId }
  }
}

/** The channel's policy excludes this topic (MSG-EDIT-61). */
export class TopicPolicyError extends BadRequestError {
  override readonly data: { readonly empty_topic_display_name: string }
  constructor(policy: 'empty topic refused' | 'only the empty topic', displayName: string) {
    super(
      policy === 'empty topic refused'
        ? `Sending messages to the ${displayName} is not allowed in this channel.`
        : `Only the ${displayName} topic is allowed in this channel.`,
    )
    this.data = { empty_topic_display_name: displayName }
  }
}

/** The present value is not the one that the caller expected (MSG-EDIT-24, MSG-EDIT-25). */
export class ExpectationMismatchError extends ApiError {
  readonly code = 'EXPECTATION_MISMATCH'
  override readonly data: { readonly field_name: string }
  constructor(fieldName: 'prev_content_sha256' | 'old') {
    super(`'${fieldName}' value does not match the expected value.`)
    this.data = { field_name: fieldName }
  }
}

/** Too many calls (LIMIT-18, LIMIT-19). */
export class RateLimitHitError extends ApiError {
  readonly code = 'RATE_LIMIT_HIT'
  override readonly status = 429
  override readonly data: { readonly 'retry-after': number }
  override readonly headers: Readonly<Record<string, string>>
  /**
   * @param retryAfter seconds, with fractions, until the next call is allowed
   * @param headers of the limit that was hit
   */
  constructor(retryAfter: number, headers: Readonly<Record<string, string>> = {}) {
    super('API usage exceeded rate limit')
    this.data = { 'retry-after': retryAfter }
    this.headers = { ...headers, 'Retry-After': String(retryAfter) }
  }
}

/**
 * An error of the server. The request ID leads to the log line with the cause. The answer says nothing else, unless the
 * operator must know.
 */
export class InternalServerError extends ApiError {
  readonly code = 'INTERNAL_SERVER_ERROR'
  override readonly status = 500
  override readonly data: { readonly request_id: string }
  constructor(requestId: string, sentence = 'Internal server error') {
    super(`${sentence} (request ${requestId})`)
    this.data = { request_id: requestId }
  }
}

/** The server has no push service (PUSHTEST-8). */
export class PushServiceNotConfiguredError extends ApiError {
  readonly code = 'PUSH_SERVICE_NOT_CONFIGURED'
  constructor() {
    super('Server is not configured to use push notification service.')
  }
}
