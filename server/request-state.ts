import type { Context } from 'koa'
import type { ApiError } from '../domain/errors.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Pair } from './decode.ts'
import type { ArrivingBody } from './traffic/bodies.ts'

/** The data about a request that the middlewares share, in the order in which it is set. */
export interface RequestState {
  requestId: string
  /** Logs a server error, and returns the error for the client. */
  fault(err: unknown, sentence: string): ApiError
  operationId?: string
  /** The caller. */
  actor?: Actor
  body?: ArrivingBody
  /** Fields of a multipart form without a file. */
  multipart?: readonly Pair[]
  /** Counts the bytes of an answer that is about to be sent. */
  unread?(bytes: number): void
  /** Waits for the client or another server, and lets other requests have the turn meanwhile. */
  aside?<T>(work: () => Promise<T>): Promise<T>
  /** Throws if the answer does not fit the contract; absent if answers are not checked. */
  check?: (status: number, body: string) => void
}

export const stateOf = (ctx: Context): RequestState => ctx.state as RequestState
