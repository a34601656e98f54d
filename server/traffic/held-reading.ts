import type { Socket } from 'node:net'

/** State of one connection. */
interface Holds {
  count: number
  /** It was resumed, but reading has not begun yet. */
  isResuming: boolean
}

const holdsOf = new WeakMap<Socket, Holds>()

/**
 * Stops reading from this connection until the returned function and those of all other callers have been called. A
 * pause alone does not last: Node resumes after each parsed request, and while few bytes of a body are waiting. On
 * hundreds of connections these are many bytes.
 */
export function holdReading(socket: Socket): () => void {
  const holds = holdsOf.get(socket) ?? newHolds(socket)
  holds.count += 1
  if (!holds.isResuming) socket.pause()
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    holds.count -= 1
    if (!socket.destroyed) socket.resume()
  }
}

function newHolds(socket: Socket): Holds {
  const holds: Holds = { count: 0, isResuming: false }
  const resume = socket.resume.bind(socket)
  socket.resume = () => {
    if (holds.count > 0) return socket
    holds.isResuming ||= socket.readableFlowing !== true
    return resume()
  }
  // A stream resumes in the next tick, regardless of what happens until then, and would be read although it says that
  // it is paused.
  socket.on('resume', () => {
    holds.isResuming = false
    if (holds.count > 0) socket.pause()
  })
  holdsOf.set(socket, holds)
  return holds
}
