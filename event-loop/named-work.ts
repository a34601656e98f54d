import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

/** Work on the event loop: an operation, a job, the delivery of events. */
export interface NamedWork {
  /** May become known during the work. */
  name: string
}

/**
 * Tells subscribers (event-loop/loop-watch.ts) when other work begins. A storage bound to the channel holds the work to
 * which everything awaited in `doNamed` belongs. Without a subscriber the cost is one check.
 */
export const namedWorks = channel('parley:named-work')

/** Runs `run`, and what follows from it, under this name. */
export function doNamed<T>(work: NamedWork, run: () => T): T {
  if (!namedWorks.hasSubscribers) return run()
  try {
    return namedWorks.runStores(work, run)
  } finally {
    // The code that follows belongs to the caller again.
    namedWorks.publish(undefined)
  }
}

/** Returns the function bound to the present name, no matter who calls it. */
export function inOwnName<T>(run: () => T): () => T {
  if (!namedWorks.hasSubscribers) return run
  const bound = AsyncLocalStorage.bind(() => {
    namedWorks.publish(undefined)
    return run()
  })
  return () => {
    try {
      return bound()
    } finally {
      namedWorks.publish(undefined)
    }
  }
}
