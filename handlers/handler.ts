import type { Database } from '../db/database.ts'
import type { Clock } from '../domain/clock.ts'
import type { Organization } from '../domain/organization-settings.ts'
import type { Site } from '../domain/server-settings.ts'
import type { JsonFields, ParkedPoll } from '../events/parked-poll.ts'
import type { EventQueues } from '../events/queues.ts'
import type { AnonymousOperationId, Input, OperationId, Output, Schemas } from '../generated/operations.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Secrets } from '../permissions/secrets.ts'

/** What every operation may use, beside its input. */
export interface Services {
  readonly db: Database
  readonly queues: EventQueues
  readonly secrets: Secrets
  readonly clock: Clock
  readonly site: Site
  readonly organization: Organization
  readonly server: ServerFacts
}

/** What the server can say of itself. */
export interface ServerFacts {
  uptimeSeconds(): number
  /** Prometheus' text format. */
  metricsText(): Promise<string>
  /** The contract as served, for OpenAPI 3.1 or 3.0. */
  document(version: '3.1' | '3.0'): Promise<Schemas['OpenApiDocument']>
}

export interface Context<Op extends OperationId> extends Services {
  /** Flat and typed, defaults filled in, as the contract says. */
  readonly input: Input<Op>
  /** Name of the calling program, from its User-Agent. */
  readonly client: string
}

/** Data of the answer without the envelope; or JSON that is ready; or an answer that comes later. */
export type Result<Op extends OperationId> = Output<Op> | JsonFields | ParkedPoll

/** One operation: flat input in, data out. It knows nothing of HTTP. Operations that need no credentials have no actor. */
export type Handler<Op extends OperationId> = (
  context: Op extends AnonymousOperationId ? Context<Op> : Context<Op> & { readonly actor: Actor },
) => Promise<Result<Op>>
