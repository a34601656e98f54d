import type { Logger } from 'pino'
import type { TextRenderer } from '../actions/messages/render-content.ts'
import type { ReadOnlyDatabase } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import type { Allowance } from '../domain/allowance.ts'
import { type Attachment, storageKeyOf, type UploadLimits } from '../domain/attachments/attachment.ts'
import type { Clock } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import type { JsonPieces } from '../domain/json-pieces.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import type { Pauses } from '../event-loop/pauses.ts'
import type { AlertWords } from '../events/alert-words.ts'
import type { ParkedPoll } from '../events/parked-poll.ts'
import type { EventQueues } from '../events/queues.ts'
import type { AnonymousOperationId, Input, OperationId, Output } from '../generated/operations.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Write } from '../permissions/write.ts'
import type { PushRelay } from '../push/relay.ts'
import type { AccountRendering } from '../rendering/rendering.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { AccountImages } from '../uploads/images.ts'
import type { ReceivedFile, StoredFile, UploadStore } from '../uploads/store.ts'

/** Dependencies of every operation besides its input. */
export interface Services {
  readonly db: ReadOnlyDatabase
  readonly queues: EventQueues
  readonly alertWords: AlertWords
  readonly secrets: Secrets
  readonly clock: Clock
  readonly site: Site
  readonly server: ServerFacts
  readonly uploads: { readonly store: UploadStore; readonly limits: UploadLimits }
  /** Store of export archives, whether the weekly limit applies, and the maximum number of messages. */
  readonly exports: { readonly store: UploadStore; readonly areLimited: boolean; readonly maxMessages: number }
  /** Number of subscribers from which on a client that asks for partial lists gets them. */
  readonly partialSubscribersFrom: number
  /** Sends notifications to devices; undefined if the server has no relay. */
  readonly relay: PushRelay | undefined
  readonly log: Logger
}

/** The file of a multipart form. */
export interface FormFile {
  /** The client's name for the file. */
  readonly name: string
  readonly file: ReceivedFile
}

/**
 * Reads the file of the request's multipart form while it arrives; the input then has the other fields of the form.
 *
 * @param maxMib maximum size
 * @param receive stores the bytes; leaves nothing behind if they fail
 * @throws {BadRequestError} for no file, several files, or a broken body; {FileTooLargeError}
 */
export type ReceiveFile<Op extends OperationId> = (
  maxMib: number,
  receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>,
) => Promise<FormFile & { readonly input: Input<Op> }>

/** Facts that the server can report about itself. */
export interface ServerFacts {
  uptimeSeconds(): number
  /** In the text format of Prometheus. */
  metricsText(): Promise<string>
  /** The contract as served, for OpenAPI 3.1 or 3.0, as JSON. */
  document(version: '3.1' | '3.0'): Promise<string>
  /** A picture of the organization; undefined if the name is unknown. */
  picture(fileName: string): Promise<Uint8Array | undefined>
}

export interface Context<Op extends OperationId> extends Services {
  /** Flat and typed, with defaults, as in the contract. */
  readonly input: Input<Op>
  /** Name of the calling program, from its User-Agent. */
  readonly client: string
  /** For operations whose body is a file. */
  readonly receiveFile: ReceiveFile<Op>
}

/**
 * The data of an operation about the calling account. Rendering counts against it, and fails with RateLimitHitError if
 * no time is left.
 */
export interface Caller extends TextRenderer {
  /**
   * The account at the time of authentication, perhaps a moment ago. This is enough for reading and preparing. Writes
   * use the actor of `write`.
   */
  readonly actor: Actor
  /** Waits for another server, and lets other requests have the turn meanwhile. */
  readonly aside: <T>(wait: () => Promise<T>) => Promise<T>
  /** For long reading: others get their turns, and it ends when the client disconnects. */
  readonly pauses: Pauses
  /** The only way to write. The account is read in the transaction, and must still be allowed to call the operation. */
  readonly write: Write
  /** The time for reading images counts against the person, who shares the limit with their bots. */
  readonly images: AccountImages
  /** Limit of moved messages. */
  readonly moves: Allowance
  /** Limit of reported messages. */
  readonly reports: Allowance
}

/** Operations that write for callers without a key. They must check by themselves whether the caller may. */
export const NEWCOMER_OPERATIONS = ['accept-invitation', 'fetch-api-key', 'dev-fetch-api-key'] as const
type NewcomerOperationId = (typeof NEWCOMER_OPERATIONS)[number]

/** Dependencies of such an operation. */
export interface Newcomer {
  readonly begin: <T>(body: (tx: Tx) => Promise<T>) => Promise<T>
  /** Renders texts. The time counts against the account. */
  readonly renderingOf: (userId: UserId) => AccountRendering
}

/** An answer without an envelope. */
export class RawAnswer {
  readonly contentType: string
  /** Bytes are a file that may be cached; text is for one reader at one moment. */
  readonly body: string | Uint8Array
  /** What a page may load and run (Content-Security-Policy). */
  readonly policy: string | undefined
  constructor(contentType: string, body: string | Uint8Array, policy?: string) {
    this.contentType = contentType
    this.body = body
    this.policy = policy
  }
}

/** A file of a store with its metadata. */
interface ServedFile extends Pick<Attachment, 'id' | 'fileName' | 'contentType' | 'size' | 'createdAt'> {
  readonly key: string
}

/** Returns the place of the bytes of a file, by its key; undefined if they are gone. */
interface ByteSource {
  open(key: string): Promise<StoredFile | undefined>
}

/** A stored file, whole or in part as requested. */
export class StoredFileAnswer {
  readonly file: ServedFile
  readonly store: ByteSource
  constructor(file: ServedFile, store: ByteSource) {
    this.file = file
    this.store = store
  }

  /** For an uploaded file. */
  static of(attachment: Attachment, store: UploadStore): StoredFileAnswer {
    return new StoredFileAnswer({ ...attachment, key: storageKeyOf(attachment.pathId) }, store)
  }
}

/** Data without an envelope, and with another status than 200. */
export class StatusAnswer {
  readonly status: number
  readonly body: object
  constructor(status: number, body: object) {
    this.status = status
    this.body = body
  }
}

/**
 * Data of the answer without the envelope, its fields as JSON without braces, an answer that comes later, or an answer
 * that is not JSON.
 */
export type Result<Op extends OperationId> =
  | Output<Op>
  | JsonPieces
  | ParkedPoll
  | RawAnswer
  | StoredFileAnswer
  | StatusAnswer

/**
 * One operation: takes flat input and returns data, and knows nothing about HTTP. Operations without credentials have
 * no caller, and only a few of them write.
 */
export type Handler<Op extends OperationId> = (
  context: Context<Op> &
    (Op extends NewcomerOperationId ? Newcomer : Op extends AnonymousOperationId ? unknown : Caller),
) => Promise<Result<Op>>
