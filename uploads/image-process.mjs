// JavaScript: the process is small, so it should not load a type stripper.
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

// Only the formats used below are read: no SVG, no PDF, no file names.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
})
sharp.cache(false)
sharp.concurrency(1)

/** Of 0 to 6; at higher values a thousand frames take too long. */
const MOVING_EFFORT = 1

// Signals are meant for the server; this process ends with it, or when told to.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', async (order) => process.send?.(await report(order)))

/** Interval of the time check. */
const LOOK_MS = 20

/**
 * Limits count processor time, because a busy machine is no reason to refuse an image. Work that is over time goes on
 * until this process is ended.
 *
 * @param {import('./image.ts').ImageOrder} order
 * @returns {Promise<import('./image.ts').ImageReport>}
 */
async function report(order) {
  const start = process.cpuUsage()
  const msSince = () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
  /** @type {PromiseWithResolvers<import('./image.ts').ImageOutcome>} */
  const { promise: outOfTime, resolve } = Promise.withResolvers()
  const look = setInterval(() => msSince() > order.maxMs && resolve({ problem: 'time' }), LOOK_MS)
  const outcome = await Promise.race([outcomeOf(order), outOfTime])
  clearInterval(look)
  return { ...outcome, ms: msSince() }
}

/**
 * @param {import('./image.ts').ImageOrder} order
 * @returns {Promise<import('./image.ts').ImageOutcome>}
 */
async function outcomeOf({ source, variants, maxPixels, maxFrames, maxSide }) {
  // Pixels are counted here, because the library's error does not say what was wrong.
  const options = { failOn: /** @type {const} */ ('error'), limitInputPixels: false }
  let isAnimated = false
  try {
    const bytes = typeof source === 'string' ? await readFile(source) : source
    const { width, height, pages = 1, autoOrient } = await sharp(bytes, options).metadata()
    if (width * height * pages > maxPixels || pages > maxFrames || Math.max(width, height) > maxSide) {
      return { problem: 'size' }
    }
    isAnimated = pages > 1
    const scaled = []
    for (const variant of variants) scaled.push(await scale(bytes, options, variant, isAnimated))
    return { image: { width: autoOrient.width, height: autoOrient.height, isAnimated, variants: scaled } }
  } catch {
    return { problem: isAnimated ? 'animation' : 'content' }
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {import('sharp').SharpOptions} options
 * @param {import('./image.ts').ImageVariant} variant
 * @param {boolean} isAnimated
 */
async function scale(bytes, options, { width, height, fit, format }, isAnimated) {
  const animated = isAnimated && (format === 'animation' || format === 'moving-webp')
  const image = sharp(bytes, { ...options, animated })
    .autoOrient()
    .resize({ width, height, fit, withoutEnlargement: fit === 'inside', background: { r: 0, g: 0, b: 0, alpha: 0 } })
  // Metadata, such as where a photograph was taken, is dropped.
  const palette = format === 'indexed'
  if (format === 'moving-webp') return new Uint8Array(await image.webp({ effort: MOVING_EFFORT }).toBuffer())
  const made = animated ? image.gif() : format === 'webp' ? image.webp() : image.png({ palette })
  return new Uint8Array(await made.toBuffer())
}
