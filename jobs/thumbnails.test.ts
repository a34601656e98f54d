import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { UnreadImageError } from '../domain/attachments/bad-image.ts'
import type { UploadedImage } from '../domain/attachments/thumbnails.ts'
import { RateLimitHitError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { Turn } from './lease.ts'
import { makeThumbnails } from './thumbnails.ts'

/** Runs the job some times for an image that is not read for the given reason. */
async function attemptsAt(turns: number, reason: Error, setBroken: () => void): Promise<number> {
  let attempts = 0
  const image = (): UploadedImage => ({
    ...{ attachmentId: 1, ownerId: 1 as UserId, pathId: '1/ab/boat.png', contentType: 'image/png' },
    ...{ size: undefined, isAnimated: false, state: 'waiting', isTold: false, attempts },
  })
  const images = {
    countAttempt: async () => {
      attempts += 1
      return true
    },
    uncountAttempt: async () => {
      attempts -= 1
    },
    setBroken,
  }
  const job = makeThumbnails({
    db: { read: { images: { nextUnfinished: async () => image() } } } as never,
    images: { of: () => ({ scaleFile: () => Promise.reject(reason) }) } as never,
    store: { pathOf: async () => '/boat.png' } as never,
    log: pino({ enabled: false }),
  })
  const transaction = (body: (tx: never) => unknown) => body({ images } as never)
  const turn = { transaction, signal: new AbortController().signal } as unknown as Turn
  for (let count = 0; count < turns; count += 1) await job.run(turn)
  return attempts
}

test('an image that gives way to others, however often, is not given up', async () => {
  const setBroken = () => assert.fail('it was given up')
  assert.equal(await attemptsAt(5, new RateLimitHitError(1), setBroken), 0)
})

test('an image is given up when the process that reads it has failed three times, not at once', async () => {
  const givenUp = new Error('it was given up')
  const setBroken = () => {
    throw givenUp
  }
  const failed = new UnreadImageError('Could not decode image')
  assert.equal(await attemptsAt(3, failed, setBroken), 3)
  await assert.rejects(attemptsAt(4, failed, setBroken), givenUp)
})
