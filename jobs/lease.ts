import type { Database } from '../db/database.ts'
import { JOB_LEASE_SECONDS } from '../domain/limits.ts'

/** Lets a job write while its process holds the lease. */
export interface Turn extends Pick<Database, 'transaction'> {
  /** Ends the job after the present step; the rest is done later, perhaps by another process. */
  readonly signal: AbortSignal
}

/** This process was paused for so long that another one has taken over the job. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  constructor(job: string) {
    super(`another process has taken over the job ${job}`)
  }
}

/**
 * Runs `work` while no other process of this database does anything under the same name; does nothing if another one
 * does (docs/decisions, "Jobs have leases"). The lease is renewed while the work goes on. Each transaction verifies
 * that it is still held, and locks its row, so a process that was paused for longer than a lease writes nothing more.
 */
export async function withLease(
  { db, holder, stopping }: { db: Pick<Database, 'transaction'>; holder: string; stopping: AbortSignal },
  name: string,
  work: (turn: Turn) => Promise<void>,
): Promise<void> {
  if (!(await db.transaction((tx) => tx.jobLeases.take(holder, name, JOB_LEASE_SECONDS)))) return
  const lost = new AbortController()
  const transaction: Turn['transaction'] = (body) =>
    db.transaction(async (tx) => {
      if (!(await tx.jobLeases.renew(holder, name, JOB_LEASE_SECONDS))) throw new LeaseLostError(name)
      return body(tx)
    })
  const renew = async (): Promise<void> => {
    try {
      await transaction(async () => undefined)
    } catch (err) {
      // If the database does not answer, the next transaction of the work finds out.
      if (err instanceof LeaseLostError) lost.abort(err)
    }
  }
  const renewals = setInterval(renew, (JOB_LEASE_SECONDS * 1000) / 3).unref()
  try {
    await work({ transaction, signal: AbortSignal.any([stopping, lost.signal]) })
  } finally {
    clearInterval(renewals)
    // Otherwise it expires.
    await db.transaction((tx) => tx.jobLeases.giveBack(holder, name)).catch(() => undefined)
  }
}
