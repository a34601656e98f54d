import type { Tx } from '../../db/repositories.ts'
import {
  type PictureKind,
  pictureAddress,
  pictureFields,
  picturePathOf,
  pictureUrl,
} from '../../domain/organization/pictures.ts'
import type { Site } from '../../domain/organization/server-settings.ts'

/** An uploaded picture as it is shown. */
interface NewPicture {
  /** Unique, and impossible to guess. */
  readonly key: string
  readonly bytes: Uint8Array
}

/**
 * Replaces one of the organization's pictures, or restores the default, and announces that. The former picture is
 * deleted.
 *
 * @returns its present address
 */
export async function changeOrganizationPicture(
  tx: Tx,
  kind: PictureKind,
  picture: NewPicture | undefined,
  site: Site,
): Promise<string> {
  const { key: former, version } = await tx.organizations.picture(kind)
  if (former !== null) await tx.pictures.remove(picturePathOf(former))
  if (picture) await tx.pictures.insert(picturePathOf(picture.key), picture.bytes)
  const stored = { key: picture?.key ?? null, version: version + 1 }
  await tx.organizations.updatePicture(kind, stored)
  const address = pictureAddress(stored)
  const data = pictureFields(kind, address, site)
  tx.events.append({ type: 'realm', op: 'update_dict', property: kind, data }, { to: 'everyone' })
  return pictureUrl(kind, address, site)
}
