import { type Allowance, UNLIMITED } from '../domain/allowance.ts'
import { BadImageError, UnreadImageError } from '../domain/attachments/bad-image.ts'
import { RateLimitHitError } from '../domain/errors.ts'
import { FairQueue } from '../event-loop/fair-queue.ts'
import { contentTypeOf, HEAD_BYTES } from './content-type.ts'
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

/** Limits for images that are read. */
interface ImageLimits {
  /**
   * Maximum of all frames together: as many as the largest photographs of phones have. Reading such an image takes up
   * to 230 MB.
   */
  readonly maxPixels: number
  readonly maxFrames: number
  /** Maximum of each side. A line of millions of pixels is not a picture, and scaling one takes half a minute. */
  readonly maxSide: number
  /** Processor time in milliseconds: twice the time for a photograph of that many pixels. */
  readonly maxMs: number
  /** Wall-clock time in milliseconds from the image's turn on, for a busy machine and for a process that hangs. */
  readonly patienceMs: number
  /** Time without images after which the process ends. */
  readonly idleMs: number
}

const LIMITS: ImageLimits = {
  maxPixels: 50_000_000,
  maxFrames: 1000,
  maxSide: 16_384,
  maxMs: 3000,
  patienceMs: 30_000,
  idleMs: 5000,
}
/** Maximum number of waiting images of all accounts; their bytes are in memory. */
const MAX_WAITING = 16
/** Seconds after which a refused caller may try again. */
const RETRY_SECONDS = 1

const PROBLEMS: Readonly<Record<ImageProblem, string>> = {
  content: 'Could not decode image; did you upload an image file?',
  size: 'Image size exceeds limit.',
  time: 'The image takes too long to read.',
  animation: 'Corrupt animated image.',
  process: 'Could not decode image; did you upload an image file?',
}

interface Waiting {
  begin(): void
  giveWay(): void
}

/** Reads the images of one account, in its turn and within its allowance. */
export interface AccountImages {
  /**
   * Checks an image by reading everything that the variants show, and makes these variants.
   *
   * @throws {BadImageError} if it is not such an image, is broken, has too many pixels, or takes too long;
   * {UnreadImageError} if the process failed; {RateLimitHitError} if too many images wait, or the allowance is used up
   */
  scale(bytes: Uint8Array, variants: readonly ImageVariant[]): Promise<ScaledImage>
  /**
   * Same as above for a file that is known to be an image and to fit in memory.
   *
   * @param path of the file, which only the other process reads
   */
  scaleFile(path: string, variants: readonly ImageVariant[]): Promise<Omit<ScaledImage, 'type'>>
}

/**
 * Reads and scales images in another process, one at a time, account after account. Callers limit the bytes. Detects
 * the type by the content, regardless of any claim. SVG does not count as an image here.
 */
export class Images {
  readonly #limits: ImageLimits
  readonly #process: ImageProcess
  readonly #onError: (err: unknown) => void
  readonly #waiting = new FairQueue<Waiting>(MAX_WAITING)
  #isBusy = false

  /** @param onError is called with errors that no image should cause: the process crashed, or hung */
  constructor(onError: (err: unknown) => void, limits: Partial<ImageLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
    this.#process = new ImageProcess(this.#limits.idleMs)
    this.#onError = onError
  }

  /** Whether the process is running. */
  get isRunning(): boolean {
    return this.#process.isRunning
  }

  of(account: number, allowance = UNLIMITED): AccountImages {
    const scaleFile = async (source: Uint8Array | string, variants: readonly ImageVariant[]) => {
      const { maxPixels, maxFrames, maxSide, maxMs } = this.#limits
      const order = { source, variants, maxPixels, maxFrames, maxSide, maxMs }
      const outcome = await this.#inTurn(account, order, allowance)
      if ('problem' in outcome) {
        const problem = PROBLEMS[outcome.problem]
        throw outcome.problem === 'process' ? new UnreadImageError(problem) : new BadImageError(problem)
      }
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

  /** Ends the process at once. */
  stop(): void {
    this.#process.stop()
  }

  async #inTurn(account: number, order: ImageOrder, allowance: Allowance): Promise<ImageOutcome> {
    // The next waiting account takes over while it is still marked busy.
    if (this.#isBusy) await this.#turnOf(account)
    else this.#isBusy = true
    try {
      allowance.check()
      const { ms, ...outcome } = await this.#run(order)
      allowance.spend(ms)
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
      return { problem: 'process', ms: order.maxMs }
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

/** Undefined if it is not an image that can be scaled. */
async function imageTypeOf(bytes: Uint8Array): Promise<ImageType | undefined> {
  const type = await contentTypeOf(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES)
  // Only the first frame of an animated PNG is read.
  return type === 'image/apng' ? 'image/png' : IMAGE_TYPES.find((one) => one === type)
}
