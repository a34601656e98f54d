import type { ReadOnlyDatabase } from '../db/database.ts'
import type { UploadLimits } from '../domain/attachments/attachment.ts'
import type { Clock } from '../domain/clock.ts'
import { BadRequestError } from '../domain/errors.ts'
import { knownEventTypes } from '../domain/events/event-types.ts'
import {
  DEFAULT_QUEUE_IDLE_SECONDS,
  MAX_EVENT_QUEUES_PER_USER,
  MAX_QUEUE_IDLE_SECONDS,
  MOBILE_QUEUE_IDLE_SECONDS,
} from '../domain/limits.ts'
import { checkQueueNarrow, type QueueNarrow } from '../domain/narrow/queue-narrow.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import { isGuest } from '../domain/users/roles.ts'
import { FEATURE_LEVEL, MERGE_BASE, ZULIP_VERSION } from '../domain/versions.ts'
import { Pauses } from '../event-loop/pauses.ts'
import { knownCapabilities, type QueueDescriptor } from '../events/queue-descriptor.ts'
import type { EventQueues, QueueOwner } from '../events/queues.ts'
import type { Input, Output } from '../generated/operations.ts'
import { type Actor, presentActor } from '../permissions/actor.ts'
import type { Write } from '../permissions/write.ts'
import { initialState } from '../views/initial-state.ts'
import { recordFirstLogIn } from './users/first-log-in.ts'

/** Parameters of POST /register, which GET /events also takes (EVENTS-12). */
export type QueueParameters = Partial<Input<'register-queue'>>

export interface RegisterServices {
  readonly db: ReadOnlyDatabase
  readonly write: Write
  readonly queues: EventQueues
  readonly clock: Clock
  readonly site: Site
  readonly uploads: { readonly limits: UploadLimits }
  readonly partialSubscribersFrom: number
}

/**
 * Creates an event queue, and reads the state that its events continue. State and head of the log come from one
 * snapshot, so state plus later events is exactly the present.
 */
export async function register(
  { db, write, queues, clock, site, uploads, partialSubscribersFrom }: RegisterServices,
  actor: Actor,
  parameters: QueueParameters,
): Promise<Output<'register-queue'>> {
  if (actor.isImportedStub) await write((tx) => recordFirstLogIn(tx, actor))
  const ofBot = actor.isBot ? await db.read.bots.queueDefaultsOf(actor.id) : undefined
  // Does not refuse a bot that has become a guest because of a default that it did not ask for.
  const byDefault = !isGuest(actor.role) && (ofBot?.allPublicChannels ?? false)
  const allPublicChannels = parameters.all_public_streams ?? byDefault
  const narrow = queueNarrow(parameters.narrow ?? (ofBot?.channelName ? [['channel', ofBot.channelName]] : []))
  const wanted = parameters.event_types ?? null
  // Memory and the row of a queue contain only capabilities that this server knows, however many the client sent.
  const descriptor: QueueDescriptor = {
    eventTypes: wanted && knownEventTypes(wanted),
    narrow,
    allPublicChannels,
    applyMarkdown: parameters.apply_markdown ?? false,
    clientGravatar: parameters.client_gravatar ?? true,
    slimPresence: parameters.slim_presence ?? false,
    capabilities: knownCapabilities(parameters.client_capabilities ?? {}),
  }
  const fetched = parameters.fetch_event_types === undefined ? wanted : parameters.fetch_event_types
  const readState = () =>
    db.snapshot(async (read) => ({
      eventId: (await read.events.head()).eventId,
      // Reads the account again, because it may have changed since it was authenticated.
      state: await initialState(read, await presentActor(read, actor.id), {
        isWanted: (type) => fetched === null || fetched.includes(type),
        isEverythingWanted: fetched === null,
        includeSubscribers: parameters.include_subscribers ?? 'false',
        partialSubscribersFrom,
        clientGravatar: descriptor.clientGravatar,
        slimPresence: descriptor.slimPresence ?? false,
        presenceHistoryDays: parameters.presence_history_limit_days,
        capabilities: descriptor.capabilities,
        serverTimestamp: clock.now() / 1000,
        site,
        uploadLimits: uploads.limits,
        pauses: new Pauses({ party: actor.id }),
      }),
    }))
  const idleSeconds = idleTimeout(parameters)
  const owner: QueueOwner = {
    userId: actor.id,
    write: (body) =>
      write(async (tx, present) => {
        if (allPublicChannels && isGuest(present.role)) throw new BadRequestError('User not authorized for this query')
        if ((await tx.queues.countOf(actor.id)) >= MAX_EVENT_QUEUES_PER_USER) {
          throw new BadRequestError(
            `Too many event queues (maximum ${MAX_EVENT_QUEUES_PER_USER}); delete some with DELETE /events`,
          )
        }
        return body(tx, present)
      }),
  }
  const { queueId, eventId, state } = await queues.register(owner, descriptor, readState, idleSeconds)
  return {
    queue_id: queueId,
    last_event_id: eventId,
    idle_queue_timeout_secs: idleSeconds,
    zulip_version: ZULIP_VERSION,
    zulip_merge_base: MERGE_BASE,
    zulip_feature_level: FEATURE_LEVEL,
    ...state,
  }
}

function idleTimeout({ idle_queue_timeout: wanted, queue_lifespan_secs: older }: QueueParameters): number {
  if (wanted === 'mobile') return MOBILE_QUEUE_IDLE_SECONDS
  return Math.min(wanted ?? (older || DEFAULT_QUEUE_IDLE_SECONDS), MAX_QUEUE_IDLE_SECONDS)
}

/** Returns either encoding of a narrow in the form by which a queue filters. */
function queueNarrow(raw: NonNullable<QueueParameters['narrow']>): QueueNarrow {
  const narrow = raw.map((term) => {
    const [operator, operand, negated] =
      'operator' in term ? [term.operator, term.operand, term.negated === true] : [term[0], term[1], false]
    const pair = [String(operator), String(operand)] as const
    return negated ? ([...pair, true] as const) : pair
  })
  checkQueueNarrow(narrow)
  return narrow
}
