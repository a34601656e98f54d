/** A picture to make from an image. */
export interface ImageVariant {
  /** Pixels. */
  readonly width: number
  readonly height: number
  /**
   * `cover` fills both sides and crops the rest, `contain` pads with transparency, `inside` fits within both and never
   * enlarges.
   */
  readonly fit: 'cover' | 'contain' | 'inside'
  /**
   * `animation` is a GIF with all frames if the image is animated, otherwise the same as `png`. `moving-webp` has all
   * frames too; the others have only the first. `indexed` is a PNG of at most 256 colours, a quarter of the size for
   * photographs.
   */
  readonly format: 'png' | 'indexed' | 'webp' | 'moving-webp' | 'animation'
}

/** Facts about an image, and the pictures made from it. */
export interface ScaledImage {
  readonly type: ImageType
  /** Pixels, after rotation by the image's orientation. */
  readonly width: number
  readonly height: number
  /** Whether it has more than one frame. */
  readonly isAnimated: boolean
  /** In the order of the request, without metadata. */
  readonly variants: readonly Uint8Array[]
}

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** A request to the process. */
export interface ImageOrder {
  /** The image, or the path of its file. */
  readonly source: Uint8Array | string
  readonly variants: readonly ImageVariant[]
  /** All frames together. */
  readonly maxPixels: number
  readonly maxFrames: number
  /** Each side. */
  readonly maxSide: number
  /** Processor time in milliseconds. */
  readonly maxMs: number
}

/**
 * Reasons to refuse an image: it cannot be read, is too large, takes too long, only its first frame can be read, or the
 * process failed.
 */
export type ImageProblem = 'content' | 'size' | 'time' | 'animation' | 'process'

export type ImageOutcome = { readonly image: Omit<ScaledImage, 'type'> } | { readonly problem: ImageProblem }

/** The outcome, with the processor time in milliseconds. */
export type ImageReport = ImageOutcome & { readonly ms: number }
