import type { Database } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import { type Allowance, spendingByRun } from '../domain/allowance.ts'
import { InvalidApiKeyError } from '../domain/errors.ts'
import { RealmDeactivatedError } from '../domain/organization/realm-deactivated.ts'
import { type Actor, asActor } from './actor.ts'

/**
 * Runs `body` in a transaction (see Database.transaction for what it must not do) for the account that makes the
 * request. The transaction reads the account, so `body` gets its present role, however long ago it was authenticated.
 * If two users take away each other's rights, only the first one succeeds.
 *
 * @throws {RealmDeactivatedError}, {UserDeactivatedError}, {InvalidApiKeyError} if the key of the request was replaced
 * meanwhile, and the refusal of the present role, before `body` begins
 */
export type Write = <T>(body: (tx: Tx, actor: Actor) => Promise<T>) => Promise<T>

/**
 * @param caller as authenticated, perhaps a while ago
 * @param check refuses an account that may no longer call the operation
 * @param events allowance for bytes of events
 */
export function writeAs(
  db: Database,
  caller: Pick<Actor, 'id' | 'keyVersion'>,
  check: (present: Actor) => void,
  events: Allowance,
): Write {
  return (body) => {
    const spend = spendingByRun(events)
    return db.transaction(async (tx) => {
      refuseWhileDeactivated(tx)
      const present = asActor(await tx.start.user(caller.id))
      if (present.keyVersion !== caller.keyVersion) throw new InvalidApiKeyError()
      check(present)
      spend(0)
      events.check()
      try {
        return await body(tx, present)
      } finally {
        spend(tx.events.bodyBytes)
      }
    })
  }
}

/**
 * @throws {RealmDeactivatedError} if the organization is deactivated, so that nobody writes, with or without an account
 */
export function refuseWhileDeactivated({ organization }: Pick<Tx, 'organization'>): void {
  if (organization.isDeactivated) throw new RealmDeactivatedError()
}
