import type { Pauses } from '../../db/pauses.ts'
import type { CommittedReaders } from '../../db/shared-rows.ts'
import type { UploadLimits } from '../../domain/attachments/attachment.ts'
import type { Site } from '../../domain/organization/server-settings.ts'
import type { ClientCapabilities } from '../../events/queue-descriptor.ts'
import type { Output, Schemas } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'

/** What a client wants to be told at registration, and how. */
export interface StateRequest {
  /** Whether the present state that events of this type continue is wanted. */
  isWanted(type: string): boolean
  /** Whether the client named no types, and wants all there are. */
  readonly isEverythingWanted: boolean
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  /** From so many subscribers on, `partial` is a part of them. */
  readonly partialSubscribersFrom: number
  readonly clientGravatar: boolean
  readonly capabilities: ClientCapabilities
  /** Whether presences are keyed by id, in the modern format. */
  readonly slimPresence: boolean
  /** Age in days of the oldest presence; undefined: as usual. */
  readonly presenceHistoryDays: number | undefined
  /** UNIX seconds with fractions. */
  readonly serverTimestamp: number
  readonly site: Site
  readonly uploadLimits: UploadLimits
  /** Of all parts together. */
  readonly pauses: Pauses
}

export type InitialState = Omit<Output<'register-queue'>, keyof Schemas['QueueState']>

/** One noun's part of the state: empty where the request does not want it. All parts are read in one snapshot. */
export type StatePart = (read: CommittedReaders, actor: Actor, request: StateRequest) => Promise<Partial<InitialState>>
