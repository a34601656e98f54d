import type { IncomingMessage } from 'node:http'
import { loopTurns, type Party } from '../../event-loop/loop-turns.ts'
import { holdReading } from './held-reading.ts'

/**
 * Lets a body arrive one read of its connection at a time, in turns of the event loop (SEC-LOOP-6). Otherwise the
 * system would deliver data of hundreds of connections at once, and nobody else would be served in between. A body that
 * arrived with its first read is not delayed.
 *
 * @returns a function to call when nobody reads any more
 */
export function arriveInTurns(request: IncomingMessage, party: Party, turns = loopTurns): () => void {
  const length = Number(request.headers['content-length'])
  let received = 0
  const giveWay = (chunk: Buffer): void => {
    received += chunk.length
    // A chunked body has no length, so more may always come.
    if (received >= length) return
    const turn = turns.begin(party)
    if (turn === undefined) return
    request.pause()
    const release = holdReading(request.socket)
    void turn.then(() => {
      release()
      if (request.listeners('data').includes(giveWay)) request.resume()
    })
  }
  request.on('data', giveWay)
  return () => void request.off('data', giveWay)
}
