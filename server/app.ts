import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { MAX_EMAIL_LENGTH } from '../domain/emails.ts'
import {
  ApiError,
  AuthenticationFailedError,
  BadRequestError,
  RateLimitHitError,
  UnauthorizedPrincipalError,
  UnknownUrlError,
} from '../domain/errors.ts'
import { MAX_CLIENT_NAME_LENGTH } from '../domain/limits.ts'
import { hasRole, type RoleName } from '../domain/roles.ts'
import { emailKey } from '../domain/text-keys.ts'
import { JsonFields, ParkedPoll } from '../events/parked-poll.ts'
import { FileAnswer, type Services, StatusAnswer } from '../handlers/handler.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Authenticator } from './authenticate.ts'
import type { Config } from './config.ts'
import { type Call, type Contract, type ContractOperation, createContract } from './contract.ts'
import { cors } from './cors.ts'
import { parsePairs } from './decode.ts'
import { formPairs, hasBody, readFormText } from './form.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { operations } from './operations.generated.ts'
import { type RateLimitHeaders, RateLimits } from './rate-limit.ts'
import { respondError, respondJson, respondLater, successBody, toApiError } from './respond.ts'

export interface AppParts {
  readonly config: Config
  readonly services: Services
  readonly authenticator: Authenticator
  readonly metrics: Metrics
  readonly log: Logger
  /** generated/decoded.json */
  readonly definition: object
}

type AnyHandler = (context: object) => Promise<object | string>
type ApiCall = Call<Context, Actor>

/** What an operation answered, with the parameters it did not know. */
interface Answer {
  readonly output: object | string
  readonly operation: ContractOperation
  readonly ignored: readonly string[]
}

/** The pipeline, in order. Everything that has a meaning is in the contract and in the handlers. */
export async function createApp(parts: AppParts): Promise<Koa> {
  const contract = await contractOf(parts)
  const router = new Router()
  router.use(readFormText())
  for (const path of ['/api/v1/{*operation}', '/health', '/metrics', '/static/:file'])
    router.all(path, api(contract, parts))

  const app = new Koa()
  app.proxy = parts.config.trustProxy
  // The one proxy in front is believed, not what a client wrote before it.
  app.maxIpsCount = 1
  app.on('error', (err: unknown, ctx?: Context) => {
    // A client that leaves in the middle of its request is no fault of ours.
    parts.log[ctx?.req.complete === false ? 'debug' : 'error']({ err }, 'answer not sent')
  })
  app.use(observe(parts))
  app.use(cors(parts.config.corsOrigins))
  app.use(router.routes())
  // What no route took: the contract says so, in the envelope.
  app.use((ctx) => {
    contract.match(ctx.method, ctx.path)
    throw new UnknownUrlError() // `/%61pi/v1/messages`: one resource has one URL
  })
  return app
}

/** Gives the request an id, measures it, and turns what was thrown into an answer: the one place where that happens. */
function observe({ metrics, log, config }: AppParts): Middleware {
  const prefix = Math.random().toString(36).slice(2, 8)
  let count = 0
  return async (ctx, next) => {
    const start = performance.now()
    count += 1
    const requestId = `${prefix}-${count.toString(36)}`
    ctx.state.requestId = requestId
    ctx.set('X-Request-Id', requestId)
    try {
      await next()
    } catch (err) {
      const apiError = toApiError(err, requestId)
      if (apiError.status >= 500) log.error({ err, requestId, method: ctx.method, path: ctx.path }, 'request failed')
      respondError(ctx, apiError)
      if (config.checkAnswers && apiError.status < 500) checkError(ctx, apiError)
    }
    const operation: string = ctx.state.operationId ?? 'unknown'
    if (ctx.respond !== false) metrics.answered(operation, ctx.status, (performance.now() - start) / 1000)
    if (log.isLevelEnabled('debug')) log.debug({ requestId, operation, status: ctx.status }, 'request answered')
  }
  function checkError(ctx: Context, err: ApiError): void {
    try {
      ctx.state.checkAnswer?.(err.status, JSON.parse(ctx.body as string))
    } catch (mismatch) {
      log.error({ err: mismatch, requestId: ctx.state.requestId }, 'answer is not in the contract')
      respondError(ctx, toApiError(mismatch, ctx.state.requestId))
    }
  }
}

/** One request: route, read, then what the contract does with it, then the answer. */
function api(contract: Contract<Context, Answer>, parts: AppParts): Middleware {
  const { checkAnswers } = parts.config
  return async (ctx) => {
    if (ctx.method === 'OPTIONS') return respondOptions(ctx, contract)
    const match = contract.match(ctx.method, ctx.path)
    const { operation } = match
    ctx.state.operationId = operation.operationId
    const check = (status: number, body: unknown) => contract.checkAnswer(operation.operationId, status, body)
    const query = parsePairs(ctx.querystring)
    const form = hasBody(ctx.req) ? await formPairs(ctx) : []
    // Not before: what cannot be read is refused in the same way everywhere, like a URL that is none.
    if (checkAnswers) ctx.state.checkAnswer = check
    const { output, ignored } = await contract.handle({ match, query, form, request: ctx })
    if (output instanceof ParkedPoll) {
      respondLater(ctx, output, (fields) => {
        const body = successBody(new JsonFields(fields), ignored)
        if (!checkAnswers) return { status: 200, body }
        try {
          check(200, JSON.parse(body))
          return { status: 200, body }
        } catch (err) {
          parts.log.error({ err, requestId: ctx.state.requestId }, 'answer is not in the contract')
          const apiError = toApiError(err, ctx.state.requestId)
          return {
            status: apiError.status,
            body: `${JSON.stringify({ result: 'error', msg: apiError.message, code: apiError.code })}\n`,
          }
        }
      })
      return
    }
    respond(ctx, { output, operation, ignored })
    if (checkAnswers && operation['x-envelope'] !== false) check(200, JSON.parse(ctx.body as string))
  }
}

function respond(ctx: Context, { output, operation, ignored }: Answer): void {
  if (output instanceof FileAnswer) {
    ctx.set({
      'Content-Type': output.contentType,
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    })
    ctx.body = Buffer.from(output.bytes)
  } else if (output instanceof StatusAnswer) {
    respondJson(ctx, output.status, `${JSON.stringify(output.body)}\n`)
  } else if (typeof output === 'string') {
    ctx.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
    ctx.body = output
  } else if (operation['x-envelope'] === false) respondJson(ctx, 200, `${JSON.stringify(output)}\n`)
  else respondJson(ctx, 200, successBody(output, ignored))
}

function respondOptions(ctx: Context, contract: Contract<Context, Answer>): void {
  ctx.set('Allow', contract.allowed(ctx.path).join(', '))
  ctx.status = 204
}

function contractOf({ config, services, authenticator, definition }: AppParts): Promise<Contract<Context, Answer>> {
  const limits = config.rateLimits ? new RateLimits(config.clock) : undefined
  const limited = async (ctx: Context, headers: Promise<RateLimitHeaders>): Promise<void> =>
    ctx.set({ ...(await headers) })

  return createContract<AnyHandler, Context, Actor, Answer>({
    definition,
    handlers: operations as unknown as Readonly<Record<string, AnyHandler>>,
    async authenticate(ctx) {
      try {
        const actor = await authenticator.authenticate(ctx.get('Authorization'))
        if (limits) await limited(ctx, limits.callBy(actor.id))
        return actor
      } catch (err) {
        // Guessing keys is a call without credentials, in whichever scheme.
        if (limits && err instanceof ApiError && !(err instanceof RateLimitHitError)) {
          await limited(ctx, limits.callFrom(ctx.ip))
        }
        throw err
      }
    },
    async authorize(operation, actor, ctx) {
      if (actor) return checkActor(operation, actor)
      if (limits && operation['x-envelope'] !== false) await limited(ctx, limits.callFrom(ctx.ip))
    },
    async run(handler, { operation, input, actor, ignored, request: ctx }: ApiCall) {
      const context = { ...services, input, actor, client: clientName(ctx.get('User-Agent')) }
      const output =
        limits && operation.operationId === 'fetch-api-key'
          ? await limitedLogin(limits, String(input.username), () => handler(context))
          : await handler(context)
      return { output, operation, ignored }
    },
  })
}

/** `x-minimum-role` and `x-humans-only` of the contract (AUTH-6 to AUTH-12, AUTH-22). */
function checkActor(operation: ContractOperation, actor: Actor): void {
  const least = operation['x-minimum-role'] as RoleName | undefined
  if (operation['x-humans-only'] && actor.isBot) {
    throw new BadRequestError('This endpoint does not accept bot requests.')
  }
  if (least === undefined || hasRole(actor.role, least)) return
  if (least === 'member') throw new BadRequestError('Not allowed for guest users')
  throw new UnauthorizedPrincipalError(least === 'owner' || least === 'moderator' ? least : 'administrator')
}

async function limitedLogin<T>(limits: RateLimits, username: string, logIn: () => Promise<T>): Promise<T> {
  // No address is longer; what is would only fill memory with keys.
  const key = emailKey(username.slice(0, MAX_EMAIL_LENGTH))
  await limits.beginLogin(key)
  try {
    const result = await logIn()
    await limits.forgiveLogin(key)
    return result
  } catch (err) {
    if (!(err instanceof AuthenticationFailedError)) await limits.forgiveLogin(key)
    throw err
  }
}

/** Name of the calling program: the product of its User-Agent (`ZulipPython/0.9.1` is ZulipPython). */
export function clientName(userAgent: string): string {
  const product = /^[^\s/();]+/.exec(userAgent)?.[0]
  return product ? product.slice(0, MAX_CLIENT_NAME_LENGTH) : 'Unspecified'
}
