import type { CommittedReaders } from '../db/shared-rows.ts'
import { defaultPictureFile, type PictureKind, picturePathOf } from '../domain/organization/pictures.ts'

/**
 * Returns the bytes of a present picture of the organization. @param defaults reads a picture that comes with the
 * server
 */
export async function organizationPicture(
  read: CommittedReaders,
  kind: PictureKind,
  defaults: (fileName: string) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array> {
  const { key } = await read.organizations.picture(kind)
  const uploaded = key === null ? undefined : await read.pictures.of(picturePathOf(key))
  const bytes = uploaded ?? (await defaults(defaultPictureFile(kind)))
  if (!bytes) throw new Error(`there is no ${defaultPictureFile(kind)}`)
  return bytes
}
