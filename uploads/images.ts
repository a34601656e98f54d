import type { Allowance } from '../domain/allowance.ts'
import { BadImageError } from '../domain/attachments/bad-image.ts'
import { RateLimitHitError } from '../domain/errors.ts'
import { FairQueue } from '../domain/fair-queue.ts'
import { contentTypeOf } from './content-type.ts'
import {
  IMAGE_TYPES,
  type ImageOrder,
  type ImageOutcome,
  type ImageProblem,
  type ImageReport,
  type ImageType,
  type ImageVariant,
  type ScaledImage,
} from './image.ts'
import { ImageProcess } from './image-process.ts'

/** Bounds of what is read. */
interface ImageLimits {
  /** Of all frames together: the largest photographs of telephones have as many. One takes up to 230 MB while it is read. */
  readonly maxPixels: number
  readonly maxFrames: number
  /** Of each side: a line of millions of pixels is no picture, and scaling one takes half a minute. */
  readonly maxSide: number
  /** Of the processor's time: twice what a photograph of so many pixels takes. */
  readonly maxMs: number
  /** By the clock, from when it is the image's turn: for a busy machine, and a process that hangs. */
  readonly patienceMs: number
  /** After this long without images the process ends. */
  readonly idleMs: number
}

const LIMITS: ImageLimits = {
  ...{ maxPixels: 50_000_000, maxFrames: 1000, maxSide: 16_384 },
  ...{ maxMs: 3000, patienceMs: 30_000, idleMs: 5000 },
}
/** How many images may wait, of all accounts. Their bytes are in memory. */
const MAX_WAITING = 16
/** When whoever gave way may try again. */
const RETRY_SECONDS = 1
/** As many first bytes as tell the type of a file. */
const HEAD_BYTES = 4100

const PROBLEMS: Readonly<Record<ImageProblem, string>> = {
  content: 'Could not decode image; did you upload an image file?',
  size: 'Image size exceeds limit.',
  time: 'The image takes too long to read.',
  animation: 'Corrupt animated image.',
}

interface Waiting {
  begin(): void
  giveWay(): void
}

/** How the images of one account are read: in its turn, and at its cost. */
export interface AccountImages {
  /**
   * Checks an image by reading all of it that the variants show, and makes these.
   * @throws {BadImageError} for what is no such image, is broken, has too many pixels, or takes too long; {RateLimitHitError} when too
   *   many wait, and when nothing of the allowance is left
   */
  scale(bytes: Uint8Array, variants: readonly ImageVariant[]): Promise<ScaledImage>
  /**
   * The same of a file, of which somebody knows that it is an image, and that there is room for it in memory.
   * @param path whose file only the other process reads
   */
  scaleFile(path: string, variants: readonly ImageVariant[]): Promise<Omit<ScaledImage, 'type'>>
}

/**
 * Reads and scales images in a process of its own: one at a time, account by account. Its callers bound the bytes.
 * The type is that of the content, whatever anybody says; SVG is no image here.
 */
export class Images {
  readonly #limits: ImageLimits
  readonly #process: ImageProcess
  readonly #onError: (err: unknown) => void
  readonly #waiting = new FairQueue<Waiting>(MAX_WAITING)
  #isBusy = false

  /** @param onError told of what no image may cause: the process crashed, or took too long */
  constructor(onError: (err: unknown) => void, limits: Partial<ImageLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
    this.#process = new ImageProcess(this.#limits.idleMs)
    this.#onError = onError
  }

  /** Whether there is a process at present. */
  get isRunning(): boolean {
    return this.#process.isRunning
  }

  /** @param allowance absent where nothing limits it */
  of(account: number, allowance?: Allowance): AccountImages {
    const scaleFile = async (source: Uint8Array | string, variants: readonly ImageVariant[]) => {
      const { maxPixels, maxFrames, maxSide, maxMs } = this.#limits
      const order = { source, variants, maxPixels, maxFrames, maxSide, maxMs }
      const outcome = await this.#inTurn(account, order, allowance)
      if ('problem' in outcome) throw new BadImageError(PROBLEMS[outcome.problem])
      return outcome.image
    }
    return {
      scaleFile,
      async scale(bytes, variants) {
        const type = await imageTypeOf(bytes)
        if (type === undefined) throw new BadImageError(PROBLEMS.content)
        return { type, ...(await scaleFile(bytes, variants)) }
      },
    }
  }

  /** Ends the process, whatever it does. */
  stop(): void {
    this.#process.stop()
  }

  async #inTurn(account: number, order: ImageOrder, allowance: Allowance | undefined): Promise<ImageOutcome> {
    // Whoever waited finds it busy for them.
    if (this.#isBusy) await this.#turnOf(account)
    else this.#isBusy = true
    try {
      allowance?.check()
      const { ms, ...outcome } = await this.#run(order)
      allowance?.spend(ms)
      return outcome
    } finally {
      const next = this.#waiting.take()
      if (next) next.begin()
      else this.#isBusy = false
    }
  }

  async #run(order: ImageOrder): Promise<ImageReport> {
    try {
      return await this.#process.run(order, this.#limits.patienceMs)
    } catch (err) {
      this.#onError(err)
      return { problem: 'content', ms: order.maxMs }
    }
  }

  #turnOf(account: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const left = this.#waiting.add(account, {
        begin: resolve,
        giveWay: () => reject(new RateLimitHitError(RETRY_SECONDS)),
      })
      left?.giveWay()
    })
  }
}

/** Undefined for what is no image that can be scaled. */
async function imageTypeOf(bytes: Uint8Array): Promise<ImageType | undefined> {
  const type = await contentTypeOf(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES)
  // Of an animated PNG the first frame is read.
  return type === 'image/apng' ? 'image/png' : IMAGE_TYPES.find((one) => one === type)
}
