import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { Worker } from '../db/loop-turns.ts'
import { arriveInTurns } from './body-turns.ts'

/** How long the rest of a body is taken and dropped. */
const DROP_MS = 30_000

/** Requests whose client waits for a word before it sends the body (`Expect: 100-continue`). */
const waiting = new WeakSet<IncomingMessage>()

/** Remembers that this client has not been told yet to send its body: it is when somebody reads it. */
export function waitsWithBody(request: IncomingMessage): void {
  waiting.add(request)
}

/** To be called before a body is read. */
export function askForBody({ req, res }: Context): void {
  if (waiting.delete(req)) res.writeContinue()
}

/**
 * Takes and drops what is left of the body of a request that has its answer, so that a client which sends it all first
 * gets the answer, in turns of its sender; one that sends more than `maxBytes`, or for too long, loses its connection.
 */
export function dropUnreadBody(ctx: Context, sender: Worker, maxBytes: number): void {
  const { req } = ctx
  const { socket } = req
  // Where the connection ends with the answer, nothing is left to read.
  if (req.complete || socket.destroyed || ctx.response.get('Connection') === 'close') return
  // What comes next on this connection may be that body or another request: nobody can tell.
  if (waiting.has(req)) ctx.set('Connection', 'close')
  const hangUp = (): void => void socket.destroy()
  const timer = setTimeout(hangUp, DROP_MS)
  const end = (): void => {
    clearTimeout(timer)
    socket.off('close', end)
  }
  let left = maxBytes
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) hangUp()
  })
  arriveInTurns(req, sender)
  req.on('end', end)
  socket.on('close', end)
  req.resume()
}
