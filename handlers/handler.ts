import type { Logger } from 'pino'
import type { ReadOnlyDatabase } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import type { Allowance } from '../domain/allowance.ts'
import { type Attachment, storageKeyOf, type UploadLimits } from '../domain/attachments/attachment.ts'
import type { Clock } from '../domain/clock.ts'
import type { UserId } from '../domain/ids.ts'
import type { JsonPieces } from '../domain/json-pieces.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import type { AlertWords } from '../events/alert-words.ts'
import type { JsonFields, ParkedPoll } from '../events/parked-poll.ts'
import type { EventQueues } from '../events/queues.ts'
import type { AnonymousOperationId, Input, OperationId, Output, Schemas } from '../generated/operations.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Write } from '../permissions/write.ts'
import type { PushRelay } from '../push/relay.ts'
import type { AccountRendering } from '../rendering/rendering.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { AccountImages } from '../uploads/images.ts'
import type { ReceivedFile, StoredFile, UploadStore } from '../uploads/store.ts'

/** What every operation may use, beside its input. */
export interface Services {
  readonly db: ReadOnlyDatabase
  readonly queues: EventQueues
  readonly alertWords: AlertWords
  readonly secrets: Secrets
  readonly clock: Clock
  readonly site: Site
  readonly server: ServerFacts
  readonly uploads: { readonly store: UploadStore; readonly limits: UploadLimits }
  /** Where archives of exports are, whether there may be so many in a week only, and of how many messages. */
  readonly exports: { readonly store: UploadStore; readonly areLimited: boolean; readonly maxMessages: number }
  /** From so many subscribers on, who asks for a part of them gets a part. */
  readonly partialSubscribersFrom: number
  /** Brings notifications to devices; undefined where the server has none. */
  readonly relay: PushRelay | undefined
  readonly log: Logger
}

/** The file of a multipart form. */
export interface FormFile {
  /** As the client named it. */
  readonly name: string
  readonly file: ReceivedFile
}

/**
 * Reads the one file of the request's multipart form, while it arrives; the input then has what else is in the form.
 * @param maxMib the largest that is taken
 * @param receive takes in the bytes; has left nothing when they fail
 * @throws {BadRequestError} for no file, for several, and for a body that is broken; {FileTooLargeError}
 */
export type ReceiveFile<Op extends OperationId> = (
  maxMib: number,
  receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>,
) => Promise<FormFile & { readonly input: Input<Op> }>

/** What the server can say of itself. */
export interface ServerFacts {
  uptimeSeconds(): number
  /** Prometheus' text format. */
  metricsText(): Promise<string>
  /** The contract as served, for OpenAPI 3.1 or 3.0. */
  document(version: '3.1' | '3.0'): Promise<Schemas['OpenApiDocument']>
  /** A picture of the organization; undefined when there is none of this name. */
  picture(fileName: string): Promise<Uint8Array | undefined>
}

export interface Context<Op extends OperationId> extends Services {
  /** Flat and typed, defaults filled in, as the contract says. */
  readonly input: Input<Op>
  /** Name of the calling program, from its User-Agent. */
  readonly client: string
  /** For operations whose body is a file. */
  readonly receiveFile: ReceiveFile<Op>
  /** Whether the client has left and nobody waits for the answer: long work that only reads may then end. */
  readonly hasLeft: () => boolean
}

/** What an operation knows of the account that calls it. */
export interface Caller {
  /** As it was authenticated, perhaps a moment ago: enough to read and to prepare. What is written follows `write`. */
  readonly actor: Actor
  /** The only way to write. The account is read in the transaction, and must still be one that may call the operation. */
  readonly write: Write
  /** At the account's cost: where it has no time left, it fails with RateLimitHitError. */
  readonly rendering: AccountRendering
  /** Images are read at the cost of the person, whose bots share it. */
  readonly images: AccountImages
  /** Messages that the account may move; undefined where nothing is limited. */
  readonly moves: Allowance | undefined
  /** The same of messages that the account may report. */
  readonly reports: Allowance | undefined
}

/** Operations that write for somebody who shows no key: whatever lets them in is theirs to check. */
export const NEWCOMER_OPERATIONS = ['accept-invitation', 'fetch-api-key', 'dev-fetch-api-key'] as const
type NewcomerOperationId = (typeof NEWCOMER_OPERATIONS)[number]

/** What such an operation has. */
export interface Newcomer {
  readonly begin: <T>(body: (tx: Tx) => Promise<T>) => Promise<T>
  /** At the cost of an account. */
  readonly renderingOf: (userId: UserId) => AccountRendering
}

/** Bytes as they are, for operations without an envelope. */
export class FileAnswer {
  readonly contentType: string
  readonly bytes: Uint8Array
  constructor(contentType: string, bytes: Uint8Array) {
    this.contentType = contentType
    this.bytes = bytes
  }
}

/** A page for a browser, which may load and run only what `policy` (Content-Security-Policy) says. */
export class PageAnswer {
  readonly html: string
  readonly policy: string
  constructor(html: string, policy: string) {
    this.html = html
    this.policy = policy
  }
}

/** A file of a store, and what is said of it. */
interface ServedFile extends Pick<Attachment, 'id' | 'fileName' | 'contentType' | 'size' | 'createdAt'> {
  readonly key: string
}

/** Where the bytes of a file are, by its key; undefined when they are gone. */
interface ByteSource {
  open(key: string): Promise<Pick<StoredFile, 'bytes'> | undefined>
}

/** A stored file, whole or in part as the request asks. */
export class StoredFileAnswer {
  readonly file: ServedFile
  readonly store: ByteSource
  constructor(file: ServedFile, store: ByteSource) {
    this.file = file
    this.store = store
  }

  /** An uploaded one. */
  static of(attachment: Attachment, store: UploadStore): StoredFileAnswer {
    return new StoredFileAnswer({ ...attachment, key: storageKeyOf(attachment.pathId) }, store)
  }
}

/** An answer without an envelope whose status is not 200. */
export class StatusAnswer {
  readonly status: number
  readonly body: object
  constructor(status: number, body: object) {
    this.status = status
    this.body = body
  }
}

/** Data of the answer without the envelope; or its fields as JSON without braces; or an answer that comes later; or no JSON at all. */
export type Result<Op extends OperationId> =
  | Output<Op>
  | JsonFields
  | JsonPieces
  | ParkedPoll
  | FileAnswer
  | PageAnswer
  | StoredFileAnswer
  | StatusAnswer

/** One operation: flat input in, data out. It knows nothing of HTTP. Operations without credentials have no caller, and but for a few write nothing. */
export type Handler<Op extends OperationId> = (
  context: Context<Op> &
    (Op extends NewcomerOperationId ? Newcomer : Op extends AnonymousOperationId ? unknown : Caller),
) => Promise<Result<Op>>
