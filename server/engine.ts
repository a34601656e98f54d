import type { Context } from 'koa'
import { textRenderer } from '../actions/messages/render-content.ts'
import type { Database } from '../db/database.ts'
import { UNLIMITED } from '../domain/allowance.ts'
import { BadRequestError, NotForGuestsError, UnauthorizedPrincipalError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { MAX_CLIENT_NAME_LENGTH } from '../domain/limits.ts'
import { hasRole, type RoleName } from '../domain/users/roles.ts'
import { personOf } from '../domain/users/user.ts'
import { Pauses } from '../event-loop/pauses.ts'
import type { OperationId } from '../generated/operations.ts'
import { NEWCOMER_OPERATIONS, type Newcomer, type ReceiveFile, type Services } from '../handlers/handler.ts'
import type { Actor } from '../permissions/actor.ts'
import { refuseWhileDeactivated, writeAs } from '../permissions/write.ts'
import type { Rendering } from '../rendering/rendering.ts'
import type { Images } from '../uploads/images.ts'
import { admittedActor } from './admission.ts'
import type { Authenticator } from './authenticate.ts'
import { type Contract, type ContractOperation, createContract } from './contract.ts'
import { readFormFile } from './form-file.ts'
import { operations } from './operations.generated.ts'
import type { RateLimits } from './rate-limit.ts'
import { stateOf } from './request-state.ts'
import { whileFileArrives } from './traffic/request-turns.ts'

export interface EngineParts {
  /** For transactions, which handlers cannot begin themselves. */
  readonly db: Database
  readonly authenticator: Authenticator
  readonly services: Services
  /** Undefined if nothing is limited. */
  readonly limits: RateLimits | undefined
  readonly rendering: Pick<Rendering, 'of'>
  readonly images: Pick<Images, 'of'>
  /** generated/decoded.json, or requests.json if answers are not checked */
  readonly definition: object
}

/** Result of an operation, with the parameters that the operation does not have. */
export interface Answer {
  readonly output: object
  readonly ignored: readonly string[]
}

type AnyHandler = (context: object) => Promise<object>

/** Connects the contract to the accounts, limits and handlers of this server. */
export function createEngine(parts: EngineParts): Promise<Contract<Context, Answer>> {
  const { db, authenticator, services, limits, rendering, images, definition } = parts

  return createContract<AnyHandler, Context, Actor, Answer>({
    definition,
    handlers: operations as unknown as Readonly<Record<string, AnyHandler>>,
    // The caller was authenticated before the body was read (admission.ts). Meanwhile the request may have waited, and
    // the account may have lost its key.
    authenticate: (ctx) => authenticator.present(ctx.get('Authorization'), admittedActor(ctx)),
    authorize(operation, actor) {
      if (actor) checkActor(operation, actor)
    },
    async run(handler, { operation, input, actor, ignored: unknown, request: ctx, withForm }) {
      let ignored = unknown
      const receiveFile: ReceiveFile<OperationId> = async (maxMib, receive) => {
        const { texts, ...received } = await whileFileArrives(ctx, (signal) =>
          readFormFile(ctx, { maxMib, receive, signal, party: actor?.id }),
        )
        try {
          const whole = withForm(texts)
          ignored = whole.ignored
          return { ...received, input: whole.input as never }
        } catch (err) {
          await received.file.discard()
          throw err
        }
      }
      const client = clientName(ctx.get('User-Agent'))
      const renderingOf = (id: UserId) => rendering.of(id, limits?.rendering(id))
      const own = actor && {
        aside: stateOf(ctx).aside ?? ((wait) => wait()),
        pauses: new Pauses({ party: actor.id, hasLeft: () => ctx.req.socket.destroyed }),
        write: writeAs(
          db,
          actor,
          (present) => checkActor(operation, present),
          limits?.events(personOf(actor)) ?? UNLIMITED,
        ),
        ...textRenderer(services, actor, renderingOf(actor.id)),
        images: images.of(personOf(actor), limits?.images(personOf(actor))),
        moves: limits?.moves(actor.id) ?? UNLIMITED,
        reports: limits?.reports(actor.id) ?? UNLIMITED,
      }
      const newcomer: Newcomer | undefined = NEWCOMER_OPERATIONS.some((id) => id === operation.operationId)
        ? { begin: beginOf(db), renderingOf }
        : undefined
      const context = { ...services, input, actor, ...own, ...newcomer, client, receiveFile }
      const tried = accountTried(operation, input, actor)
      const output =
        limits && tried !== undefined ? await limits.logIn(tried, () => handler(context)) : await handler(context)
      return { output, ignored }
    },
  })
}

/** Returns the address of the account whose password this request tries, if any. */
function accountTried(
  { operationId }: ContractOperation,
  input: Readonly<Record<string, unknown>>,
  actor: Actor | undefined,
): string | undefined {
  if (operationId === 'fetch-api-key') return String(input.username)
  return input.new_password === undefined ? undefined : actor?.email
}

const INCOMING_WEBHOOK = 2

/**
 * Checks `x-minimum-role`, `x-humans-only` and `x-for-incoming-webhooks` of the contract (AUTH-6 to AUTH-12, AUTH-22).
 */
function checkActor(operation: ContractOperation, actor: Actor): void {
  const least = operation['x-minimum-role'] as RoleName | undefined
  if (operation['x-humans-only'] && actor.isBot) {
    throw new BadRequestError('This endpoint does not accept bot requests.')
  }
  if (actor.botType === INCOMING_WEBHOOK && !operation['x-for-incoming-webhooks']) {
    throw new BadRequestError('This API is not available to incoming webhook bots.')
  }
  if (least === undefined || hasRole(actor.role, least)) return
  if (least === 'member') throw new NotForGuestsError()
  throw new UnauthorizedPrincipalError(least === 'owner' || least === 'moderator' ? least : 'administrator')
}

/** Transactions of callers who have no account yet, or send no key. */
function beginOf(db: Database): Newcomer['begin'] {
  return (body) =>
    db.transaction((tx) => {
      refuseWhileDeactivated(tx)
      return body(tx)
    })
}

/** Returns the name of the calling program, the product of its User-Agent (`ZulipPython/0.9.1` is ZulipPython). */
export function clientName(userAgent: string): string {
  const product = /^[^\s/();]+/.exec(userAgent)?.[0]
  return product ? product.slice(0, MAX_CLIENT_NAME_LENGTH) : 'Unspecified'
}
