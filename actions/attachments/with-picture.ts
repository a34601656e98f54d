import { MAX_PICTURE_MIB } from '../../domain/limits.ts'
import type { ImageVariant, ScaledImage } from '../../uploads/image.ts'
import type { AccountImages } from '../../uploads/images.ts'
import type { ReceivedFile, UploadStore } from '../../uploads/store.ts'

/** The part of the context of a picture upload that is needed here. */
interface PictureContext<Input> {
  readonly uploads: { readonly store: Pick<UploadStore, 'receive'> }
  readonly images: Pick<AccountImages, 'scale'>
  receiveFile(
    maxMib: number,
    receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>,
  ): Promise<{ readonly file: ReceivedFile; readonly input: Input }>
}

interface ScaledPicture<Input> extends Pick<ScaledImage, 'isAnimated' | 'variants'> {
  /** Unique, and impossible to guess. */
  readonly key: string
  /** The other parameters of the form. */
  readonly input: Input
}

/**
 * Scales the picture of the request's form to `variants` and passes them to `use`; the file itself is not kept.
 *
 * @throws {BadImageError} if the file is not a picture, {FileTooLargeError}, {RateLimitHitError} if too many requests
 * wait, or the account has used up its time
 */
export async function withPicture<Input, Result>(
  { uploads, images, receiveFile }: PictureContext<Input>,
  variants: readonly ImageVariant[],
  use: (picture: ScaledPicture<Input>) => Promise<Result>,
): Promise<Result> {
  const { file, input } = await receiveFile(MAX_PICTURE_MIB, (bytes) => uploads.store.receive(bytes))
  try {
    return await use({ ...(await images.scale(await file.read(), variants)), key: file.key, input })
  } finally {
    await file.discard()
  }
}
