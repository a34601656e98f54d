import { MAX_PICTURE_MIB } from '../domain/limits.ts'
import type { ImageVariant, ScaledImage } from '../uploads/image.ts'
import type { AccountImages } from '../uploads/images.ts'
import type { ReceivedFile, UploadStore } from '../uploads/store.ts'

/** What of the context of an operation whose body is a picture is needed here. */
interface PictureContext<Input> {
  readonly uploads: { readonly store: Pick<UploadStore, 'receive'> }
  readonly images: Pick<AccountImages, 'scale'>
  receiveFile(
    maxMib: number,
    receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>,
  ): Promise<{ readonly file: ReceivedFile; readonly input: Input }>
}

interface ScaledPicture<Input> extends Pick<ScaledImage, 'isAnimated' | 'variants'> {
  /** That no other file has, and nobody can guess. */
  readonly key: string
  /** With what else is in the form. */
  readonly input: Input
}

/**
 * Hands the picture of the request's form to `use`, in `variants`; of the file itself nothing stays.
 * @throws {BadImageError} for what is no picture, {FileTooLargeError}, {RateLimitHitError} where too many wait, or the account has no time left
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
