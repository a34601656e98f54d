import Koa, { type Context, type Middleware } from 'koa'
import { doNamed, type NamedWork } from '../db/named-work.ts'
import { UnknownUrlError } from '../domain/errors.ts'
import { ParkedPoll } from '../events/parked-poll.ts'
import { StoredFileAnswer } from '../handlers/handler.ts'
import type { Contract } from './contract.ts'
import { cors } from './cors.ts'
import { parsePairs } from './decode.ts'
import { type Answer, createEngine, type EngineParts } from './engine.ts'
import { formPairs, hasBody, meantMethod, readFormText } from './form.ts'
import { Router } from './http.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { type Respondent, respond, respondError, respondLater, toApiError } from './respond.ts'
import { respondFile } from './respond-file.ts'

export interface AppParts extends EngineParts {
  readonly metrics: Metrics
  readonly log: Logger
}

/** Where something may answer; what does, the contract says. One pattern, because each is tried with every request. */
const SERVED = /^\/(?:api\/v1|health|metrics|static|user_uploads)(?:\/|$)/

/** The pipeline, in order. Everything that has a meaning is in the contract and in the handlers. */
export async function createApp(parts: AppParts): Promise<Koa> {
  const engine = await createEngine(parts)
  const router = new Router()
  router.all(SERVED, readFormText(), answer(engine, parts))
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
    engine.match(ctx.method, ctx.path)
    throw new UnknownUrlError() // `/%61pi/v1/messages`: one resource has one URL
  })
  return app
}

/** What the middlewares tell each other about a request. */
interface RequestState extends Respondent {
  requestId: string
  operationId?: string
  work: NamedWork
}

/** Gives the request an id, measures it, and turns what was thrown into an answer: the one place where that happens. */
function observe({ metrics, log }: AppParts): Middleware {
  const prefix = Math.random().toString(36).slice(2, 8)
  let count = 0
  return async (ctx, next) => {
    const start = performance.now()
    count += 1
    const state = ctx.state as RequestState
    state.requestId = `${prefix}-${count.toString(36)}`
    state.fault = (err, sentence) => {
      log.error({ err, requestId: state.requestId, method: ctx.method, path: ctx.path }, sentence)
      return toApiError(err, state.requestId)
    }
    ctx.set('X-Request-Id', state.requestId)
    state.work = { name: 'request without operation' }
    try {
      await doNamed(state.work, next)
    } catch (err) {
      respondError(ctx, state, toApiError(err, state.requestId), err)
    }
    const { operationId: operation = 'unknown' } = state
    if (ctx.respond !== false) metrics.answered(operation, ctx.status, (performance.now() - start) / 1000)
    if (log.isLevelEnabled('debug')) {
      log.debug({ requestId: state.requestId, operation, status: ctx.status }, 'request answered')
    }
  }
}

/** One request: route, read, then what the contract does with it, then the answer. */
function answer(engine: Contract<Context, Answer>, { config }: AppParts): Middleware {
  return async (ctx) => {
    if (ctx.method === 'OPTIONS') {
      ctx.set('Allow', engine.allowed(ctx.path).join(', '))
      ctx.status = 204
      return
    }
    const state = ctx.state as RequestState
    const { method, isOverridden } = meantMethod(ctx)
    const match = engine.match(method, ctx.path)
    const { operationId } = match.operation
    state.operationId = operationId
    state.work.name = operationId
    const query = parsePairs(ctx.querystring)
    // A file is read when everything else about the request is known to be right.
    const pairs = hasBody(ctx.req) && !match.operation['x-takes-file'] ? await formPairs(ctx) : []
    const form = isOverridden ? pairs.filter(([name]) => name !== 'method') : pairs
    // Not before: what cannot be read is refused in the same way everywhere, like a URL that is none.
    if (config.checkAnswers) {
      const check = { name: `check of the answer to ${operationId}` }
      state.check = (status, body) => doNamed(check, () => engine.checkAnswer(operationId, status, JSON.parse(body)))
    }
    const { output, ignored } = await engine.handle({ match, query, form, request: ctx })
    if (output instanceof ParkedPoll) respondLater(ctx, state, output, ignored)
    else if (output instanceof StoredFileAnswer) await respondFile(ctx, state, output)
    else respond(ctx, state, output, { ignored, hasEnvelope: match.operation['x-envelope'] !== false })
  }
}
