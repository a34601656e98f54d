import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { MIB } from '../domain/attachments/attachment.ts'
import { UnreadImageError } from '../domain/attachments/bad-image.ts'
import type { Thumbnail, UploadedImage } from '../domain/attachments/thumbnails.ts'
import { RateLimitHitError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { Turn } from './lease.ts'
import { makeThumbnails } from './thumbnails.ts'

const IMAGE: UploadedImage = {
  attachmentId: 1,
  ownerId: 1 as UserId,
  pathId: '1/ab/boat.png',
  contentType: 'image/png',
  size: undefined,
  isAnimated: false,
  state: 'waiting',
  isTold: false,
  attempts: 0,
}

/** Runs the job `turns` times. @param rows stand-in for the table of images */
async function run(rows: object, scaleFile: () => Promise<unknown>, turns = 1): Promise<void> {
  const job = makeThumbnails({
    db: { read: { images: rows } } as never,
    images: { of: () => ({ scaleFile }) } as never,
    store: { pathOf: async () => '/boat.png' } as never,
    log: pino({ enabled: false }),
  })
  const transaction = (body: (tx: never) => unknown) => body({ images: rows } as never)
  const turn = { transaction, signal: new AbortController().signal } as unknown as Turn
  for (let ran = 0; ran < turns; ran += 1) await job.run(turn)
}

/** Runs the job some times for an image that is not read for the given reason. */
async function attemptsAt(turns: number, reason: Error, setBroken: () => void): Promise<number> {
  let attempts = 0
  const rows = {
    nextUnfinished: async () => ({ ...IMAGE, attempts }),
    countAttempt: async () => {
      attempts += 1
      return true
    },
    uncountAttempt: async () => {
      attempts -= 1
    },
    setBroken,
  }
  await run(rows, () => Promise.reject(reason), turns)
  return attempts
}

test('an image that always gives way to others is not given up', async () => {
  const setBroken = () => assert.fail('it was given up')
  assert.equal(await attemptsAt(5, new RateLimitHitError(1), setBroken), 0)
})

test('an image is given up after its process failed three times, and not before', async () => {
  const givenUp = new Error('it was given up')
  const setBroken = () => {
    throw givenUp
  }
  const failed = new UnreadImageError('Could not decode image')
  assert.equal(await attemptsAt(3, failed, setBroken), 3)
  await assert.rejects(attemptsAt(4, failed, setBroken), givenUp)
})

test('an animated image is announced as one only if its animated thumbnail is small enough', async () => {
  for (const mebibytes of [4, 5]) {
    let made: { isAnimated: boolean; thumbnails: readonly Thumbnail[] } | undefined
    const rows = {
      nextUnfinished: async () => (made ? undefined : IMAGE),
      countAttempt: async () => true,
      setMade: async (_id: number, result: typeof made) => {
        made = result
      },
      of: async () => undefined,
      setTold: async () => undefined,
    }
    const variants = [new Uint8Array(mebibytes * MIB)]
    await run(rows, async () => ({ isAnimated: true, width: 1, height: 1, variants }))
    assert.deepEqual([made?.isAnimated, made?.thumbnails.length], mebibytes === 4 ? [true, 2] : [false, 1])
  }
})
