import type { Database } from '../db/database.ts'
import type { Tx } from '../db/repositories.ts'
import { InvalidApiKeyError } from '../domain/errors.ts'
import { RealmDeactivatedError } from '../domain/organization/realm-deactivated.ts'
import { type Actor, asActor } from './actor.ts'

/**
 * Runs `body` in a transaction (see Database.transaction for what it must not do) for the account that makes the
 * request. The account is read there: what `body` is given has its role of this moment, however long ago it was
 * authenticated, and of two who take each other's rights away only the first succeeds.
 * @throws {RealmDeactivatedError}, {UserDeactivatedError}, {InvalidApiKeyError} when the key that the request came with was replaced meanwhile, and what refuses the present role before `body` begins
 */
export type Write = <T>(body: (tx: Tx, actor: Actor) => Promise<T>) => Promise<T>

/**
 * @param caller as authenticated, perhaps a while ago
 * @param check refuses an account that may no longer do what it was admitted to
 */
export function writeAs(
  db: Database,
  caller: Pick<Actor, 'id' | 'keyVersion'>,
  check: (present: Actor) => void,
): Write {
  return (body) =>
    db.transaction(async (tx) => {
      refuseWhileDeactivated(tx)
      const present = asActor(await tx.start.user(caller.id))
      if (present.keyVersion !== caller.keyVersion) throw new InvalidApiKeyError()
      check(present)
      return body(tx, present)
    })
}

/** @throws {RealmDeactivatedError} where nobody is served, so that nobody writes either, account or not */
export function refuseWhileDeactivated({ organization }: Pick<Tx, 'organization'>): void {
  if (organization.isDeactivated) throw new RealmDeactivatedError()
}
