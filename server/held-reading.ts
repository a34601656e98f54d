import type { Socket } from 'node:net'

/** Of one connection. */
interface Holds {
  count: number
  /** It was resumed, and has not begun to be read yet. */
  isResuming: boolean
}

const holdsOf = new WeakMap<Socket, Holds>()

/**
 * Nothing more is read from this connection until the returned function has been called, and those of all others that
 * hold it. Pausing alone does not last: Node resumes after each request that it has parsed, and as long as the bytes of a
 * body that nobody has taken are few, which on hundreds of connections are many.
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
  // A stream resumes in the next tick. It would do so whatever is asked until then, and be read while it says that it is paused.
  socket.on('resume', () => {
    holds.isResuming = false
    if (holds.count > 0) socket.pause()
  })
  holdsOf.set(socket, holds)
  return holds
}
