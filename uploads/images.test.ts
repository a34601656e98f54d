import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { UnreadImageError } from '../domain/attachments/bad-image.ts'
import { ApiError, RateLimitHitError } from '../domain/errors.ts'
import { Random } from '../server/random-testing.ts'
import type { ImageVariant } from './image.ts'
import { Images } from './images.ts'

const SQUARE: ImageVariant = { width: 8, height: 8, fit: 'cover', format: 'png' }
const errors: unknown[] = []
const images = new Images((err) => errors.push(err))
const bounded = new Images((err) => errors.push(err), { maxPixels: 4000, maxFrames: 4, idleMs: 1 })
after(() => {
  images.stop()
  bounded.stop()
})

function plain(width: number, height: number, colour = 'rgb(0, 0, 255)') {
  return sharp({ create: { width, height, channels: 3, background: colour } })
}
async function animated(frames: number, size = 10): Promise<Buffer> {
  const all = Array.from({ length: frames }, (_, index) =>
    plain(size, size, `rgb(${index * 20}, 0, 0)`)
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(all), { join: { animated: true } })
    .gif()
    .toBuffer()
}
/** A PNG that claims these dimensions and has no pixels. */
async function bomb(width: number, height: number): Promise<Buffer> {
  const png = await plain(1, 1).png().toBuffer()
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  // The checksum of the header.
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}
async function sizes(variants: readonly Uint8Array[]) {
  const all = variants.map(async (bytes) => {
    const { width, height, format, pages = 1 } = await sharp(bytes).metadata()
    return [format, width, height, pages]
  })
  return Promise.all(all)
}
const refused = (of: Images, bytes: Uint8Array, message: RegExp) =>
  assert.rejects(
    of.of(1).scale(bytes, [SQUARE]),
    (err) => err instanceof ApiError && err.code === 'BAD_IMAGE' && message.test(err.message),
  )

test('every kind of image is scaled as requested', async () => {
  const variants: ImageVariant[] = [
    SQUARE,
    { width: 8, height: 8, fit: 'inside', format: 'webp' },
    { width: 800, height: 100, fit: 'inside', format: 'png' },
    { width: 8, height: 8, fit: 'contain', format: 'animation' },
  ]
  for (const format of ['png', 'jpeg', 'gif', 'webp'] as const) {
    const image = await images.of(1).scale(await plain(40, 20).toFormat(format).toBuffer(), variants)
    assert.deepEqual([image.type, image.width, image.height, image.isAnimated], [`image/${format}`, 40, 20, false])
    assert.deepEqual(await sizes(image.variants), [
      ['png', 8, 8, 1],
      ['webp', 8, 4, 1],
      ['png', 40, 20, 1],
      ['png', 8, 8, 1],
    ])
  }
})

test('an animation is kept on request; otherwise its first frame is used', async () => {
  const image = await images.of(1).scale(await animated(3), [SQUARE, { ...SQUARE, format: 'animation' }])
  assert.equal(image.isAnimated, true)
  assert.deepEqual(await sizes(image.variants), [
    ['png', 8, 8, 1],
    ['gif', 8, 8, 3],
  ])
})

test('a photograph is upright, and its location is removed', async () => {
  const photograph = await plain(40, 20)
    .jpeg()
    .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { width, height, variants } = await images.of(1).scale(photograph, [{ ...SQUARE, fit: 'inside' }])
  assert.deepEqual([width, height], [20, 40])
  assert.deepEqual(await sizes(variants), [['png', 4, 8, 1]])
  assert.equal((await sharp(variants[0]).metadata()).exif, undefined)
})

test('broken images and other files are refused', async () => {
  const png = await plain(64, 64).png().toBuffer()
  // Seeded, because a damaged image may still be valid with other noise.
  const random = new Random(482)
  const noise = () => {
    const pixels = Buffer.from(Array.from({ length: 64 * 64 * 3 }, () => random.int(256)))
    return sharp(pixels, { raw: { width: 64, height: 64, channels: 3 } })
  }
  for (const [what, bytes] of Object.entries({
    nothing: Buffer.alloc(0),
    text: Buffer.from('PNG'),
    SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'),
    TIFF: await plain(8, 8).tiff().toBuffer(),
    AVIF: await plain(8, 8).avif().toBuffer(),
    'signature alone': png.subarray(0, 8),
    'PNG that is cut': (await noise().png().toBuffer()).subarray(0, 2000),
    'JPEG that is cut': (await noise().jpeg().toBuffer()).subarray(0, 1000),
    'WebP that is cut': (await noise().webp().toBuffer()).subarray(0, 1000),
    'GIF that is cut': (await noise().gif().toBuffer()).subarray(0, 1000),
    'PNG that is SVG': Buffer.concat([png.subarray(0, 8), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]),
  })) {
    await assert.doesNotReject(refused(images, bytes, /^Could not decode image;/), what)
  }
  const frames = await Promise.all([1, 2, 3].map(() => noise().png().toBuffer()))
  const broken = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  broken.fill(0xff, Math.floor(broken.length * 0.85)) // in the last of three frames
  const animation = images.of(1).scale(broken, [{ ...SQUARE, format: 'animation' }])
  await assert.rejects(animation, { code: 'BAD_IMAGE', message: 'Corrupt animated image.' })
})

test('an image that would take too much memory is refused before it is read', async () => {
  for (const bytes of [
    await bomb(60_000, 60_000),
    await bomb(1_000_000, 51),
    await bomb(1, 16_385),
    await bomb(16_385, 1),
  ])
    await refused(images, bytes, /^Image size exceeds limit\.$/)
  await refused(bounded, await plain(100, 41).png().toBuffer(), /limit/)
  await refused(bounded, await animated(4, 32), /limit/)
  await refused(bounded, await animated(5), /limit/)
  await bounded.of(1).scale(await animated(4), [SQUARE])
})

test('SEC-IMAGE-1, G6: an image that takes too much processor time is given up, and the next is read', async () => {
  const hurried = new Images((err) => errors.push(err), { maxMs: 1 })
  const large = await plain(7000, 7000).png().toBuffer()
  await refused(hurried, large, /^The image takes too long to read\.$/)
  assert.equal(hurried.isRunning, false, 'what it was at is ended')
  assert.deepEqual(errors, [])
  await images.of(1).scale(large, [SQUARE])
})

test('SEC-IMAGE-1, G6: an account pays for its images, and those without time left do not begin', async () => {
  let [spent, asked] = [0, 0]
  const allowance = {
    check() {
      asked += 1
      if (spent > 0) throw new RateLimitHitError(7)
    },
    spend(ms: number) {
      spent += ms
    },
  }
  const png = await plain(8, 8).png().toBuffer()
  const own = images.of(1, allowance)
  const [first, second] = await Promise.allSettled([own.scale(png, [SQUARE]), own.scale(png, [SQUARE])])
  assert.deepEqual([first?.status, second?.status, asked], ['fulfilled', 'rejected', 2])
  assert.ok(spent > 0)
  await images.of(2).scale(png, [SQUARE])
})

test('SEC-IMAGE-1: accounts take turns, and the one with most waiting images loses one', async () => {
  const png = await plain(8, 8).png().toBuffer()
  const order: string[] = []
  const ask = (account: number, name: string) =>
    images
      .of(account)
      .scale(png, [SQUARE])
      .then(
        () => order.push(name),
        (err: ApiError) => order.push(`${name} ${err.code}`),
      )
  const all = Array.from({ length: 18 }, (_, index) => ask(1, `a${index}`))
  await Promise.all([...all, ask(2, 'b')])
  assert.deepEqual(order.filter((name) => name.endsWith('RATE_LIMIT_HIT')).length, 2)
  assert.ok(order.indexOf('b') < order.indexOf('a3'))
})

test('the process ends without work, and is replaced if it ends early', async () => {
  while (bounded.isRunning) await turn()
  const png = await plain(8, 8).png().toBuffer()
  await bounded.of(1).scale(png, [SQUARE])
  assert.equal(errors.length, 0)
  const hasty = new Images((err) => errors.push(err), { patienceMs: 0 })
  await assert.rejects(hasty.of(1).scale(png, [SQUARE]), (err: Error) => {
    assert.match(err.message, /decode/)
    return err instanceof UnreadImageError
  })
  assert.match(String(errors), /too long/)
  assert.equal(hasty.isRunning, false)
})
