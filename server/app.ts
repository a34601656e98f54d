import Koa, { type Context, type Middleware } from 'koa'
import { MIB } from '../domain/attachments/attachment.ts'
import { type ApiError, BadRequestError, UnknownUrlError, WrongPasswordError } from '../domain/errors.ts'
import { ParkedPoll } from '../events/parked-poll.ts'
import { StoredFileAnswer } from '../handlers/handler.ts'
import { Admission } from './admission.ts'
import type { Config } from './config.ts'
import type { Contract, ContractOperation } from './contract.ts'
import { cors } from './cors.ts'
import { type Pair, parsePairs } from './decode.ts'
import { type Answer, createEngine, type EngineParts } from './engine.ts'
import { type BodyKind, bodyKind, formPairs, isEmpty, readFormText } from './form.ts'
import { Router } from './http.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { MetricsAccess } from './metrics-access.ts'
import { RateLimits } from './rate-limit.ts'
import { stateOf } from './request-state.ts'
import { respond, respondError, respondLater, toApiError } from './respond.ts'
import { respondFile } from './respond-file.ts'
import { addressKey } from './traffic/connections.ts'
import { inTurn } from './traffic/request-turns.ts'
import type { Traffic } from './traffic/traffic.ts'
import { dropUnreadBody, holdBody, letGoOfBody } from './traffic/unread-body.ts'

export interface AppParts extends Omit<EngineParts, 'limits'> {
  readonly config: Config
  readonly metrics: Metrics
  readonly traffic: Traffic
  readonly log: Logger
  /** Absent if nothing intercepts requests. */
  readonly intercept?: Intercept | undefined
  /** Called with each request before anything else. */
  readonly onRequest?: (ctx: Context) => void
}

/** Runs between a request whose operation is known and the work on it, which it may skip, delay or answer itself. */
export type Intercept = (ctx: Context, operationId: string, work: () => Promise<void>) => Promise<void>

/** Paths that may have an answer; the contract decides. One pattern, because every request is matched. */
const SERVED = /^\/(?:$|(?:api\/v1|data_exports|health|join|metrics|static|user_avatars|user_uploads)(?:\/|$))/

/** Anybody who knows such a key can join or read an archive, so it is kept out of logs. */
const KEY = /^\/(join|data_exports)\/[^/]*/

/** Error codes for connections that the client has closed. */
const LEFT: readonly string[] = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']

/** The request pipeline, in order. All meaning is in the contract and in the handlers. */
export async function createApp(parts: AppParts): Promise<Koa> {
  const { config, authenticator } = parts
  const limits = config.rateLimits ? new RateLimits(config.clock) : undefined
  const engine = await createEngine({ ...parts, limits })
  const admission = new Admission({
    authenticator,
    limits,
    connections: parts.traffic.connections,
    metrics: new MetricsAccess(config),
    hasDevelopmentLogin: config.hasDevelopmentLogin,
  })
  const router = new Router()
  router.all(SERVED, answer(engine, admission, parts))
  const app = new Koa()
  app.proxy = config.trustProxy
  // Trusts only the proxy directly in front of the server, not values that clients sent to it.
  app.maxIpsCount = 1
  app.on('error', (err: NodeJS.ErrnoException, ctx?: Context) => {
    // A client that disconnects during its request or the answer is not our fault.
    const hasLeft = ctx?.req.complete === false || LEFT.includes(err.code ?? '')
    parts.log[hasLeft ? 'debug' : 'error']({ err }, 'answer not sent')
  })
  app.use(observe(parts))
  app.use(cors(config.corsOrigins))
  app.use(router.routes())
  // No route matched: answer as the contract says, in the envelope.
  app.use((ctx) => {
    engine.match(ctx.method, ctx.path)
    throw new UnknownUrlError() // `/%61pi/v1/messages`: a resource has exactly one URL.
  })
  return app
}

/**
 * Maximum bytes that are dropped after a refusal without credentials: the rest of a form that was sent before its
 * client read the answer. From an account it may be a file.
 */
const MAX_DROPPED_ANONYMOUS_BYTES = 256 * 1024

/** Whether somebody presented an invalid key, password or token. Tools that watch the log may block the address. */
function isFailedLogIn(ctx: Context, refusal: ApiError): boolean {
  const { code } = refusal
  if (code === 'UNAUTHORIZED') return ctx.get('Authorization') !== ''
  return code === 'INVALID_API_KEY' || code === 'AUTHENTICATION_FAILED' || refusal instanceof WrongPasswordError
}

/** @throws {BadRequestError} for a URL such as `http://[x/`, which Node accepts: Koa's path throws, or is null */
function pathOf(ctx: Context): string {
  try {
    const path: string | null = ctx.path
    if (path !== null) return path
  } catch {
    // The error quotes the URL, which may have a key in it.
  }
  throw new BadRequestError('The URL is not valid')
}

/** Gives the request an ID, measures it, and turns errors into answers. Nothing else does any of that. */
function observe({ metrics, log, config, onRequest }: AppParts): Middleware {
  const prefix = Math.random().toString(36).slice(2, 8)
  let count = 0
  return async (ctx, next) => {
    const start = performance.now()
    onRequest?.(ctx)
    count += 1
    holdBody(ctx.req)
    const state = stateOf(ctx)
    state.requestId = `${prefix}-${count.toString(36)}`
    let path = ''
    state.fault = (err, sentence) => {
      const { requestId } = state
      log.error({ err, requestId, method: ctx.method, path: path.replace(KEY, '/$1/…') }, sentence)
      return toApiError(err, state.requestId)
    }
    ctx.set('X-Request-Id', state.requestId)
    try {
      path = pathOf(ctx)
      await next()
    } catch (err) {
      const refusal = toApiError(err, state.requestId)
      if (isFailedLogIn(ctx, refusal)) {
        const { requestId, operationId: operation } = state
        log.warn({ requestId, address: ctx.ip, operation, code: refusal.code }, 'log-in failed')
      }
      respondError(ctx, refusal, err)
    }
    state.body?.end()
    if (ctx.req.complete) letGoOfBody(ctx.req)
    else {
      const { actor } = state
      const maxBytes = actor ? config.uploads.maxFileMib * MIB : MAX_DROPPED_ANONYMOUS_BYTES
      dropUnreadBody(ctx, actor?.id ?? addressKey(ctx.ip), maxBytes)
    }
    const { operationId: operation = 'unknown' } = state
    if (ctx.respond !== false) metrics.answered(operation, ctx.status, (performance.now() - start) / 1000)
    if (log.isLevelEnabled('debug')) {
      const tell = () => log.debug({ requestId: state.requestId, operation, status: ctx.status }, 'request answered')
      // A parked poll has no status yet.
      if (ctx.respond !== false) tell()
      else ctx.res.once('finish', tell)
    }
  }
}

/** Handles one request: path, credentials and rate limit before the body, then the operation, then the answer. */
function answer(
  engine: Contract<Context, Answer>,
  admission: Admission,
  { config, traffic, intercept, db }: AppParts,
): Middleware {
  return async (ctx) => {
    if (ctx.method === 'OPTIONS') {
      ctx.set('Allow', engine.allowed(ctx.path).join(', '))
      ctx.status = 204
      return
    }
    const state = stateOf(ctx)
    let kind = bodyKind(ctx)
    const match = engine.match(ctx.method, ctx.path)
    const { operation } = match
    const { operationId } = operation
    state.operationId = operationId
    if (!OPERATORS.includes(operationId)) await db.upToDate()
    const actor = await admission.admit(ctx, operation)
    const body = kind === 'none' ? undefined : traffic.bodies.body(ctx, actor?.id)
    if (body) state.body = body
    if (body && kind === 'urlencoded') await readFormText(ctx, body)
    if (body && kind === 'other' && readsForm(kind, operation) && (await isEmpty(ctx, body))) kind = 'none'
    const query = parsePairs(ctx.querystring)
    const pairs = async (): Promise<readonly Pair[]> =>
      body && readsForm(kind, operation) ? await formPairs(ctx, kind, body) : []
    // A body that is parsed while it arrives does not need a turn; parsing a megabyte of text that has arrived does.
    const arrived = kind === 'multipart' ? await pairs() : undefined
    if (arrived) state.multipart = arrived
    const work = async (): Promise<void> => {
      const form = arrived ?? (await pairs())
      // Done only now, so that a form that cannot be parsed is refused in the same way for all operations, like an
      // invalid URL.
      if (config.checkAnswers) {
        state.check = (status, body) => engine.checkAnswer(operationId, status, JSON.parse(body))
      }
      const { output, ignored } = await engine.handle({ match, query, form, request: ctx })
      if (output instanceof ParkedPoll) respondLater(ctx, output, ignored)
      else if (output instanceof StoredFileAnswer) await respondFile(ctx, output)
      else await respond(ctx, output, { ignored, hasEnvelope: operation['x-envelope'] !== false })
    }
    const workInTurn = (): Promise<void> =>
      OPERATORS.includes(operationId) ? work() : inTurn(ctx, traffic, actor?.id, work)
    await (intercept ? intercept(ctx, operationId, workInTurn) : workInTurn())
  }
}

/** Operations that need no turn, because operators need them most when all turns are taken. */
const OPERATORS: readonly string[] = ['get-health', 'get-metrics']

/** A file is read after everything else was validated; a body that is not a form is ignored if no form is needed. */
function readsForm(kind: BodyKind, operation: ContractOperation): boolean {
  if (kind === 'none' || operation['x-takes-file']) return false
  return kind !== 'other' || Object.values(operation['x-decode']).some((rule) => rule.in !== 'path')
}
