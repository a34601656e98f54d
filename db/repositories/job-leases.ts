import { Repository } from '../repository.ts'
import type { Session } from '../session.ts'

/**
 * UNIX seconds on the clock that all processes of a database share: the clock of the database server, or of the machine
 * with the file.
 */
const NOW: Readonly<Record<Session['dialect'], string>> = { sqlite: 'unixepoch()', mariadb: 'unix_timestamp()' }

/**
 * Returns the condition that the lease is free for a holder: it is the holder's own, was released, has expired, or ends
 * later than any lease can, because the clock was set back. The limit is twice the duration of a lease, because
 * MariaDB's clock stands still while a statement waits for a row.
 */
function freeFor(dialect: Session['dialect']): string {
  return `(holder = ? or held_until <= ${NOW[dialect]} or held_until > ${NOW[dialect]} + 2 * ?)`
}

/** Leases, which say which process does a job at the moment (jobs/lease.ts). */
export class JobLeaseReader extends Repository {
  /** Returns undefined if nobody ever held it. */
  async isFreeFor(holder: string, name: string, seconds: number): Promise<boolean | undefined> {
    const row = await this.session.get<{ isFree: number }>(
      `select ${freeFor(this.session.dialect)} as isFree from job_lease where name = ?`,
      [holder, seconds, name],
    )
    return row && Number(row.isFree) === 1
  }
}

export class JobLeaseWriter extends JobLeaseReader {
  /** Takes the lease for `seconds`. @returns whether it was free */
  async take(holder: string, name: string, seconds: number): Promise<boolean> {
    // Reads without a lock, so that writes do not wait for a holder in the middle of its own write.
    const isFree = await this.isFreeFor(holder, name, seconds)
    if (isFree === false) return false
    if (isFree === undefined) {
      await this.session.knex('job_lease').insert({ name, holder: '', held_until: 0 }).onConflict('name').ignore()
    }
    const { dialect } = this.session
    const { changes } = await this.session.run(
      `update job_lease set held_until = ${NOW[dialect]} + ?, holder = ? where name = ? and ${freeFor(dialect)}`,
      [seconds, holder, name, holder, seconds],
    )
    return changes === 1
  }

  /**
   * Renews the lease for `seconds` from now, expired or not, unless somebody has taken it over. The row stays locked,
   * so this holds until commit. @returns whether it is still held
   */
  async renew(holder: string, name: string, seconds: number): Promise<boolean> {
    const { changes } = await this.session.run(
      `update job_lease set held_until = ${NOW[this.session.dialect]} + ? where name = ? and holder = ?`,
      [seconds, name, holder],
    )
    return changes === 1
  }

  /** Releases it. Does nothing if another process has taken it over. */
  async giveBack(holder: string, name: string): Promise<void> {
    await this.session.run('update job_lease set held_until = 0 where name = ? and holder = ?', [name, holder])
  }

  /** Releases all of them. Call it while no other process uses the database. */
  async endAll(): Promise<void> {
    await this.session.run('update job_lease set held_until = 0 where held_until > 0')
  }
}
