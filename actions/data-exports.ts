import type { Tx } from '../db/repositories.ts'
import { BadRequestError, NoSuchItemError } from '../domain/errors.ts'
import { ADMINISTRATORS } from '../domain/events/audience.ts'
import { type DataExport, type ExportType, isPending, toWireExport } from '../domain/exports.ts'
import type { UserId } from '../domain/ids.ts'
import { EXPORTS } from '../domain/limits.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import { isConsenting } from '../exports/consent.ts'
import type { Actor } from '../permissions/actor.ts'

/** An export as it was requested. */
interface Wanted {
  readonly type: ExportType
  /** UNIX milliseconds. */
  readonly nowMs: number
  /** Whether the weekly limit applies. */
  readonly areLimited: boolean
}

/**
 * Stores a request for an export, which jobs/data-exports.ts makes.
 *
 * @returns its ID
 * @throws {BadRequestError} if there are too many, the server does not allow the type, or no owner agrees
 */
export async function startExport(tx: Tx, { id }: Actor, { type, nowMs, areLimited }: Wanted, site: Site) {
  // The lock makes concurrent requests count each other.
  await tx.events.lockedHead()
  if (type === 'full_without_consent' && !site.ownerFullContentAccess) {
    throw new BadRequestError('This server exports private data only of those who agree to it.')
  }
  if (type === 'full_with_consent' && !(await doesAnOwnerAgree(tx))) {
    throw new BadRequestError('At least one owner must agree that their private data are exported.')
  }
  const since = nowMs - EXPORTS.windowSeconds * 1000
  if (areLimited && (await tx.dataExports.countSince(since)) >= EXPORTS.count) {
    throw new BadRequestError('Exceeded rate limit.')
  }
  const exportId = await tx.dataExports.insert({ type, actingUserId: id, requestedMs: nowMs })
  await announceExports(tx, site)
  return exportId
}

/**
 * Removes the archive of an export.
 *
 * @returns the key under which the store still has it
 * @throws {BadRequestError} if the export does not exist or has no archive
 */
export async function removeExport(tx: Tx, id: number, site: Site): Promise<string> {
  const one = Number.isSafeInteger(id) ? await tx.dataExports.byId(id) : undefined
  if (!one) throw new NoSuchItemError('Invalid data export ID')
  if (one.deletedAt !== null) throw new BadRequestError('Export already deleted')
  if (one.fileKey === null) {
    throw new BadRequestError(
      isPending(one) ? 'The export is still being made.' : 'The export failed: it has no archive.',
    )
  }
  await endExport(tx, one, site)
  return one.fileKey
}

/** Ends an export whose archive is removed, on request or because it has expired. */
export async function endExport(tx: Tx, one: DataExport, site: Site): Promise<void> {
  await tx.dataExports.update(one, { deletedAt: tx.organization.now, fileKey: null, size: null })
  await announceExports(tx, site)
}

/** Sends administrators the list of all exports. */
export async function announceExports(tx: Tx, site: Pick<Site, 'publicUrl'>): Promise<void> {
  const exports = (await tx.dataExports.all()).map((one) => toWireExport(one, site))
  tx.events.append({ type: 'realm_export', exports }, ADMINISTRATORS)
}

/** Without an owner who agrees, nobody could use the private part of the archive. */
async function doesAnOwnerAgree(tx: Tx): Promise<boolean> {
  const ids: UserId[] = await tx.users.activeOwnerIds()
  const settings = await tx.users.settings(ids)
  return ids.some((id) => isConsenting({ id, botOwnerId: null }, settings))
}
