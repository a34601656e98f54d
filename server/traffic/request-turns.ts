import type { Context } from 'koa'
import { loopTurns } from '../../event-loop/loop-turns.ts'
import { LongAnswer } from '../long-answer.ts'
import { stateOf } from '../request-state.ts'
import { addressKey } from './connections.ts'
import type { Traffic } from './traffic.ts'

/** Larger than a page of messages. A larger answer means that hundreds were read and written. */
const HEAVY_BYTES = 512 * 1024

/** Bytes in memory of a stream that is being sent. */
const STREAM_BYTES = 256 * 1024

/**
 * Runs `work`, which answers the request, when its turn comes; not at all if the client has disconnected by then.
 *
 * @throws {RateLimitHitError} if too many requests of this account or address wait
 */
export async function inTurn(
  ctx: Context,
  { turns, answers }: Pick<Traffic, 'turns' | 'answers'>,
  accountId: number | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const party = accountId ?? addressKey(ctx.ip)
  const begun = turns.begin(party, ctx.req.socket)
  if (begun !== true && !(await begun)) {
    ctx.respond = false
    return
  }
  const state = stateOf(ctx)
  state.unread = (bytes) => answers.hold(party, ctx.res, bytes)
  state.aside = async (wait) => {
    turns.end(party)
    try {
      return await wait()
    } finally {
      turns.resume(party)
    }
  }
  let bytes: number | undefined
  try {
    const turn = loopTurns.begin(party)
    if (turn !== undefined) await turn
    await work()
    if (ctx.respond !== false) {
      bytes = lengthOf(ctx.body)
      state.unread(bytes)
    }
  } finally {
    turns.end(party, bytes === undefined ? undefined : bytes > HEAVY_BYTES)
  }
}

/** UTF-16 units are close enough to bytes. */
function lengthOf(body: unknown): number {
  if (typeof body === 'string' || body instanceof Uint8Array) return body.length
  if (body instanceof LongAnswer) return body.bytes
  return body ? STREAM_BYTES : 0
}

/** Returns the result of `read`, which reads the file of a request; without a body there is nothing to wait for. */
export function whileFileArrives<T>(ctx: Context, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { body, aside } = stateOf(ctx)
  if (body === undefined) return read(AbortSignal.any([]))
  return aside ? aside(() => body.file(read)) : body.file(read)
}
