import type { Database } from '../db/database.ts'
import { JOB_LEASE_SECONDS } from '../domain/limits.ts'

/** What a job writes with, as long as its process may go on. */
export interface Turn extends Pick<Database, 'transaction'> {
  /** Ends the job after what is under way; the rest is done at a later turn, by another process perhaps. */
  readonly signal: AbortSignal
}

/** This process stood still for so long that another has taken the job over. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  constructor(job: string) {
    super(`another process has taken over the job ${job}`)
  }
}

/**
 * Does `work` while no other process of this database does anything under the same name, and nothing where another does
 * (docs/decisions, "Jobs have leases"). The lease is renewed as long as the work goes on. Each transaction makes sure that it
 * is still held, and locks its row: a process that was paused for longer than a lease lasts writes nothing more.
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
      // Where the database does not answer, the next of the work's own transactions finds out.
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
