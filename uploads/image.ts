/** A picture to be made of an image. */
export interface ImageVariant {
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** `cover` fills both and cuts what is over, `contain` adds what is missing, transparent; `inside` is no larger than both, and never enlarges. */
  readonly fit: 'cover' | 'contain' | 'inside'
  /**
   * `animation`: a GIF with all frames where the image is animated, otherwise as `png`. The others show the first frame; `indexed` is a PNG
   * of at most 256 colours, a quarter of the size for photographs; `moving-webp` has all frames.
   */
  readonly format: 'png' | 'indexed' | 'webp' | 'moving-webp' | 'animation'
}

/** What an image was found to be, and the pictures that were asked for. */
export interface ScaledImage {
  readonly type: ImageType
  /** Pixels, upright. */
  readonly width: number
  readonly height: number
  /** Whether it has several frames. */
  readonly isAnimated: boolean
  /** In the order of the request, without any metadata. */
  readonly variants: readonly Uint8Array[]
}

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** What the process is asked for. */
export interface ImageOrder {
  /** The image, or where its file is. */
  readonly source: Uint8Array | string
  readonly variants: readonly ImageVariant[]
  /** Of all frames together. */
  readonly maxPixels: number
  readonly maxFrames: number
  /** Of each side. */
  readonly maxSide: number
  /** Of the processor's time. */
  readonly maxMs: number
}

/** What is wrong with an image: it cannot be read, it is too large, takes too long, or only its first frame can be read. */
export type ImageProblem = 'content' | 'size' | 'time' | 'animation'

export type ImageOutcome = { readonly image: Omit<ScaledImage, 'type'> } | { readonly problem: ImageProblem }

/** With the milliseconds of the processor that it took. */
export type ImageReport = ImageOutcome & { readonly ms: number }
