import type { CommittedReaders } from '../db/shared-rows.ts'
import { defaultPictureFile, type PictureKind, picturePathOf } from '../domain/organization/pictures.ts'

/** The bytes of a picture of the organization as it is now. @param defaults reads one of the pictures that come with the server */
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
