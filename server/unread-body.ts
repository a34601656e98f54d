import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { Worker } from '../db/loop-turns.ts'
import { holdReading } from './held-reading.ts'

/** How long the rest of a body is taken and dropped. */
const DROP_MS = 30_000

/** What Node reads of a connection at once. A body of so many bytes is as good as come when the request is there. */
const READ_BYTES = 64 * 1024

/** Requests of whose bodies nothing more is read. */
const held = new WeakMap<IncomingMessage, () => void>()

/**
 * Of a long body no more is read than has come with the head, until somebody asks for it (SEC-LOOP-6): Node would read on, and
 * on hundreds of connections at once, for what may be refused.
 */
export function holdBody(request: IncomingMessage): void {
  const { 'transfer-encoding': encoding, 'content-length': length = 0 } = request.headers
  if (encoding !== undefined || Number(length) > READ_BYTES) held.set(request, holdReading(request.socket))
}

/** Requests whose client waits for a word before it sends the body (`Expect: 100-continue`). */
const waiting = new WeakSet<IncomingMessage>()

/** Remembers that this client has not been told yet to send its body: it is when somebody reads it. */
export function waitsWithBody(request: IncomingMessage): void {
  waiting.add(request)
}

/** To be called before a body is read. */
export function askForBody({ req, res }: Context): void {
  if (waiting.delete(req)) res.writeContinue()
  held.get(req)?.()
}

/** What is read each millisecond of the bodies of one sender that are dropped: a file of the largest size in two seconds. */
export const DROP_BYTES_PER_MS = 16 * 1024

interface Dropping {
  bodies: number
  /** When the next bytes may be read, by `performance.now()`. */
  nextMs: number
}

const droppingOf = new Map<Worker, Dropping>()

/**
 * Takes and drops what is left of the body of a request that has its answer, so that a client which sends it all first
 * gets the answer. It is read slowly, all that one sender sends together: memory for what comes faster than the rest of
 * the process goes on would have to be found. One that sends more than `maxBytes`, or for too long, loses its connection.
 */
export function dropUnreadBody(ctx: Context, sender: Worker, maxBytes: number): void {
  const { req } = ctx
  const { socket } = req
  // Where the connection ends with the answer, nothing is left to read.
  if (req.complete || socket.destroyed || ctx.response.get('Connection') === 'close') return
  // What comes next on this connection may be that body or another request: nobody can tell.
  if (waiting.has(req)) ctx.set('Connection', 'close')
  const dropping = droppingOf.get(sender) ?? { bodies: 0, nextMs: 0 }
  droppingOf.set(sender, dropping)
  dropping.bodies += 1
  const hangUp = (): void => void socket.destroy()
  const timer = setTimeout(hangUp, DROP_MS)
  let release: (() => void) | undefined
  let pause: NodeJS.Timeout | undefined
  const readOn = (): void => {
    clearTimeout(pause)
    release?.()
    release = undefined
  }
  const readOnInTime = (): void => {
    release = holdReading(socket)
    pause = setTimeout(readOn, Math.max(0, dropping.nextMs - performance.now()))
  }
  const end = (): void => {
    clearTimeout(timer)
    readOn()
    req.off('end', end)
    socket.off('close', end)
    dropping.bodies -= 1
    if (dropping.bodies === 0) droppingOf.delete(sender)
  }
  let left = maxBytes
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) return hangUp()
    dropping.nextMs = Math.max(dropping.nextMs, performance.now()) + chunk.length / DROP_BYTES_PER_MS
    if (release === undefined) readOnInTime()
  })
  req.on('end', end)
  socket.on('close', end)
  req.resume()
  readOnInTime()
  held.get(req)?.()
}
