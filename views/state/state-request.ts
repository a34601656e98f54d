import type { CommittedReaders } from '../../db/shared-rows.ts'
import type { UploadLimits } from '../../domain/attachments/attachment.ts'
import type { Site } from '../../domain/organization/server-settings.ts'
import type { Pauses } from '../../event-loop/pauses.ts'
import type { ClientCapabilities } from '../../events/queue-descriptor.ts'
import type { Output, Schemas } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'

/** The parts of the state that a client wants at registration, and their form. */
export interface StateRequest {
  /** Whether the client wants the current state that events of this type continue. */
  isWanted(type: string): boolean
  /** Whether the client named no types and so wants all of them. */
  readonly isEverythingWanted: boolean
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  /** A channel with at least this many subscribers gets a partial list if the request asks for `partial`. */
  readonly partialSubscribersFrom: number
  readonly clientGravatar: boolean
  readonly capabilities: ClientCapabilities
  /** Whether presences are keyed by id, in the modern format. */
  readonly slimPresence: boolean
  /** Maximum age in days of a presence; undefined means the default. */
  readonly presenceHistoryDays: number | undefined
  /** UNIX seconds, with fractions. */
  readonly serverTimestamp: number
  readonly site: Site
  readonly uploadLimits: UploadLimits
  /** Shared by all parts. */
  readonly pauses: Pauses
}

export type InitialState = Omit<Output<'register-queue'>, keyof Schemas['QueueState']>

/** One noun's part of the state; empty if the request does not want it. All parts are read in one snapshot. */
export type StatePart = (read: CommittedReaders, actor: Actor, request: StateRequest) => Promise<Partial<InitialState>>
