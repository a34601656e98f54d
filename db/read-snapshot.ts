import type { Clock } from '../domain/clock.ts'
import { type DatabaseLocation, hasDatabase, openBeside } from './database.ts'
import { FollowedOrganization } from './followed-organization.ts'
import { requireMigrated } from './migrate.ts'
import { bindReaders, type Readers } from './repositories.ts'
import { UnusableDatabaseError } from './unusable.ts'

/**
 * Everything that `work` reads is from the same moment, however long it takes. For a process that runs beside a server
 * and serves no requests.
 *
 * @throws {UnusableDatabaseError} if there is no organization of this release
 */
export async function readSnapshot<T>(
  location: DatabaseLocation,
  clock: Clock,
  work: (read: Readers) => Promise<T>,
): Promise<T> {
  // Opening it would create it.
  if (!(await hasDatabase(location))) throw new UnusableDatabaseError(NO_ORGANIZATION)
  const engine = await openBeside(location)
  try {
    return await engine.snapshot(async (session) => {
      await requireMigrated(session)
      const organization = new FollowedOrganization(clock)
      const read = bindReaders(session, () => organization.present)
      if (!(await read.organizations.find())) throw new UnusableDatabaseError(NO_ORGANIZATION)
      await organization.start(read, (await read.events.head()).eventId)
      return await work(read)
    })
  } finally {
    await engine.close()
  }
}

const NO_ORGANIZATION = 'There is no organization yet: start the server once'
