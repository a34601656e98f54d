import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Context } from 'koa'
import type { Worker } from '../db/loop-turns.ts'
import { holdReading } from './held-reading.ts'

/** What Node reads of a connection at once. A body of this size has as good as arrived when the request is there. */
const READ_BYTES = 64 * 1024

/** Requests whose bodies are not read any further. */
const held = new WeakMap<IncomingMessage, () => void>()

/**
 * Of a long body no more is read than has come with the head, until somebody asks for it (SEC-LOOP-6): Node would read
 * on, on hundreds of connections at once, what may then be refused.
 */
export function holdBody(request: IncomingMessage): void {
  if (request.complete) return
  const { 'transfer-encoding': encoding, 'content-length': length = 0 } = request.headers
  if (encoding !== undefined || Number(length) > READ_BYTES) held.set(request, holdReading(request.socket))
}

/** Requests whose client waits for a word before it sends the body (`Expect: 100-continue`). */
const waiting = new WeakSet<IncomingMessage>()

/** Remembers that this client has not been told to send its body yet: it is told when somebody reads it. */
export function waitsWithBody(request: IncomingMessage): void {
  waiting.add(request)
}

/** To be called before a body is read. */
export function askForBody({ req, res }: Context): void {
  if (waiting.delete(req)) res.writeContinue()
  letGoOfBody(req)
}

/** The rest may be read: somebody wants it, or it has come already. */
export function letGoOfBody(request: IncomingMessage): void {
  held.get(request)?.()
}

/** How long a client may take to send what is dropped. */
const DROP_MS = 30_000
/** What is read each millisecond of the bodies of one sender that are dropped: a file of the largest size in two seconds. */
export const DROP_BYTES_PER_MS = 16 * 1024
/** What a piece of a body counts for at least: there may be one for each byte. */
const PIECE_BYTES = 1024
/** Bodies of one sender that are dropped at the same time. While one waits for its next read, nobody sees its client leave. */
export const MAX_DROPPED = 64

/** What is dropped of one sender. */
interface Dropping {
  bodies: number
  /** When the next bytes may be read, by `performance.now()`. */
  nextMs: number
}

const droppingOf = new Map<Worker, Dropping>()

/**
 * Takes and drops what is left of the body of a request that has its answer, so that a client which sends it all first
 * gets the answer. It is read slowly, everything that one sender sends counted together: what came faster than the rest
 * of the process goes on would need memory. One that sends more than `maxBytes`, or for too long, loses its connection.
 * To be called before all of it has come and before the answer is sent.
 */
export function dropUnreadBody(ctx: Context, sender: Worker, maxBytes: number): void {
  const { req } = ctx
  // Where the connection ends with the answer, nothing is left to read.
  if (req.socket.destroyed || ctx.response.get('Connection') === 'close') return
  // What comes next on a connection whose client waits for a word may be that body or another request: nobody can tell.
  // And a client that announces more than is dropped is told of the end before it sends another request.
  const isTooLong = Number(req.headers['content-length']) > maxBytes
  if (waiting.has(req) || isTooLong) ctx.set('Connection', 'close')
  const dropping = droppingOf.get(sender) ?? { bodies: 0, nextMs: 0 }
  if (dropping.bodies >= MAX_DROPPED) {
    ctx.set('Connection', 'close')
    ctx.res.once('finish', () => req.socket.destroy())
    return
  }
  droppingOf.set(sender, dropping)
  dropping.bodies += 1
  new DroppedBody(req, dropping, maxBytes).drop(() => {
    dropping.bodies -= 1
    if (dropping.bodies === 0) droppingOf.delete(sender)
  })
  letGoOfBody(req)
}

/** The rest of one body. */
class DroppedBody {
  readonly #request: IncomingMessage
  readonly #socket: Socket
  readonly #dropping: Dropping
  #left: number
  /** By when the client has to have sent it; later by what it had to wait for others. */
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
    // Node closes the connection with the answer where the client asked for that; what came then would destroy the answer on its way.
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
    request.resume()
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
