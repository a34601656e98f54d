import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

/** What the event loop does for somebody: an operation, a job, the delivery of events. */
export interface NamedWork {
  /** May become known while the work is under way. */
  name: string
}

/**
 * Who listens here (server/loop-watch.ts) is told whenever other work begins; a storage that is bound to it holds the work
 * that everything awaited in `doNamed` belongs to. Without a listener it costs one look.
 */
export const namedWorks = channel('parley:named-work')

/** Does `run`, and what follows from it, under this name. */
export function doNamed<T>(work: NamedWork, run: () => T): T {
  if (!namedWorks.hasSubscribers) return run()
  try {
    return namedWorks.runStores(work, run)
  } finally {
    // What comes now belongs to the caller again.
    namedWorks.publish(undefined)
  }
}

/** The same function, done under the name that it is given now, whoever calls it. */
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
