import type { Tx } from '../../db/repositories.ts'

/**
 * From now on every request is refused: requests check the organization's state before they read or write anything
 * else.
 */
export async function deactivateOrganization(tx: Tx): Promise<void> {
  const { id, now } = tx.organization
  await tx.organizations.setDeactivated(now)
  tx.events.append({ type: 'realm', op: 'deactivated', realm_id: id }, { to: 'everyone' })
}

/** Serves everybody again, with all of their data. */
export async function reactivateOrganization(tx: Tx): Promise<void> {
  await tx.organizations.setDeactivated(null)
  tx.events.append({ type: 'realm_reactivated' }, { to: 'users', userIds: [] })
}
