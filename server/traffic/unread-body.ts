import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Context } from 'koa'
import type { Party } from '../../event-loop/loop-turns.ts'
import { holdReading } from './held-reading.ts'

/** Bytes that Node reads from a connection at once. A body of this size usually arrives with its request. */
const READ_BYTES = 64 * 1024

/** Requests whose bodies are not read any further. */
const held = new WeakMap<IncomingMessage, () => void>()

/**
 * Reads no more of a long body than arrived with its headers, until somebody asks for it (SEC-LOOP-6). Otherwise Node
 * would go on reading, on hundreds of connections at once, bodies that may then be refused.
 */
export function holdBody(request: IncomingMessage): void {
  if (request.complete) return
  const { 'transfer-encoding': encoding, 'content-length': length = 0 } = request.headers
  if (encoding !== undefined || Number(length) > READ_BYTES) held.set(request, holdReading(request.socket))
}

/** Requests whose clients wait before they send the body (`Expect: 100-continue`). */
const waiting = new WeakSet<IncomingMessage>()

/** Marks a client that has not been told to send its body. It is told when the body is read. */
export function waitsWithBody(request: IncomingMessage): void {
  waiting.add(request)
}

/** Call it before a body is read. */
export function askForBody({ req, res }: Context): void {
  if (waiting.delete(req)) res.writeContinue()
  letGoOfBody(req)
}

/** Lets the rest be read, because somebody wants it or it has arrived already. */
export function letGoOfBody(request: IncomingMessage): void {
  held.get(request)?.()
}

/** Time that a client has to send a body that is dropped. */
const DROP_MS = 30_000
/** Bytes read each millisecond of all dropped bodies of one party: a file of maximum size in two seconds. */
export const DROP_BYTES_PER_MS = 16 * 1024
/** Minimum size for which a piece of a body counts, because each byte may be a piece. */
const PIECE_BYTES = 1024
/**
 * Maximum number of bodies of one party that are dropped at the same time. While one waits for its next read, a
 * disconnected client goes unnoticed.
 */
export const MAX_DROPPED = 64

/** State of dropping for one party. */
interface Dropping {
  bodies: number
  /** When the next bytes may be read, in terms of `performance.now()`. */
  nextMs: number
}

const droppingOf = new Map<Party, Dropping>()

/**
 * Reads and drops the rest of a body whose request has been answered, so that a client that sends all of it first gets
 * the answer. It is read slowly, at one rate for all bodies of a party, because data that arrives faster than the
 * process works would need memory. A client that sends more than `maxBytes`, or for too long, loses its connection.
 * Call it before all of the body has arrived and before the answer is sent.
 */
export function dropUnreadBody(ctx: Context, party: Party, maxBytes: number): void {
  const { req } = ctx
  // If the connection ends with the answer, nothing is left to read.
  if (req.socket.destroyed || ctx.response.get('Connection') === 'close') return
  // If the client waits for permission to send, the next data may be that body or another request, and the two cannot
  // be told apart. A client that announces more than is dropped learns of the end before it sends another request.
  const isTooLong = Number(req.headers['content-length']) > maxBytes
  if (waiting.has(req) || isTooLong) ctx.set('Connection', 'close')
  const dropping = droppingOf.get(party) ?? { bodies: 0, nextMs: 0 }
  if (dropping.bodies >= MAX_DROPPED) {
    ctx.set('Connection', 'close')
    ctx.res.once('finish', () => req.socket.destroy())
    return
  }
  droppingOf.set(party, dropping)
  dropping.bodies += 1
  new DroppedBody(req, dropping, maxBytes).drop(() => {
    dropping.bodies -= 1
    if (dropping.bodies === 0) droppingOf.delete(party)
  })
  letGoOfBody(req)
}

/** The rest of one body. */
class DroppedBody {
  readonly #request: IncomingMessage
  readonly #socket: Socket
  readonly #dropping: Dropping
  #left: number
  /** When the client must have sent everything; later if it had to wait for others. */
  #deadline = performance.now() + DROP_MS
  #timer: NodeJS.Timeout | undefined
  #pause: NodeJS.Timeout | undefined
  #release: (() => void) | undefined

  constructor(request: IncomingMessage, dropping: Dropping, maxBytes: number) {
    this.#request = request
    this.#socket = request.socket
    this.#dropping = dropping
    this.#left = maxBytes
  }

  drop(onEnd: () => void): void {
    const [request, socket] = [this.#request, this.#socket]
    // If the client asked for that, Node closes the connection with the answer; data that arrives then would destroy
    // the answer on its way.
    const { destroySoon } = socket
    socket.destroySoon = () => void socket.end()
    const end = (): void => {
      clearTimeout(this.#timer)
      this.#readOn()
      request.off('end', end)
      socket.off('close', end)
      socket.destroySoon = destroySoon
      if (socket.writableEnded) socket.destroySoon()
      onEnd()
    }
    request.on('end', end)
    socket.on('close', end)
    request.on('data', (chunk: Buffer) => this.#take(Math.max(chunk.length, PIECE_BYTES)))
    // A former reader, such as an inflater, would pause the request again.
    request.unpipe().resume()
    this.#readOnInTime()
    this.#awaitEnd()
  }

  #take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) {
      this.#socket.destroy()
      return
    }
    const { nextMs } = this.#dropping
    this.#dropping.nextMs = Math.max(nextMs, performance.now()) + bytes / DROP_BYTES_PER_MS
    if (this.#release === undefined) this.#readOnInTime()
  }

  #readOnInTime(): void {
    const ms = Math.max(0, this.#dropping.nextMs - performance.now())
    this.#deadline += ms
    this.#release = holdReading(this.#socket)
    this.#pause = setTimeout(() => this.#readOn(), ms)
  }

  #readOn(): void {
    clearTimeout(this.#pause)
    this.#release?.()
    this.#release = undefined
  }

  #awaitEnd(): void {
    const ms = this.#deadline - performance.now()
    if (ms <= 0) this.#socket.destroy()
    else this.#timer = setTimeout(() => this.#awaitEnd(), ms)
  }
}
