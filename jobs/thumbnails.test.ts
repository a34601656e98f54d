import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { UploadedImage } from '../domain/attachments/thumbnails.ts'
import { RateLimitHitError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { Turn } from './lease.ts'
import { makeThumbnails } from './thumbnails.ts'

test('an image that gives way to others, however often, is not given up', async () => {
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
    setBroken: () => assert.fail('it was given up'),
  }
  const job = makeThumbnails({
    db: { read: { images: { nextUnfinished: async () => image() } } } as never,
    images: { of: () => ({ scaleFile: () => Promise.reject(new RateLimitHitError(1)) }) } as never,
    store: { pathOf: async () => '/boat.png' } as never,
    log: pino({ enabled: false }),
  })
  const transaction = (body: (tx: never) => unknown) => body({ images } as never)
  const turn = { transaction, signal: new AbortController().signal } as unknown as Turn
  for (let turns = 0; turns < 5; turns += 1) await job.run(turn)
  assert.equal(attempts, 0)
})
