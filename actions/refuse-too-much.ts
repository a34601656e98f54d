import { BadRequestError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'

/** What an account keeps of a noun at most, and how many UTF-8 bytes of text in all. */
export interface OwnRoom {
  /** The noun, as people say it of many. */
  readonly what: string
  readonly count: number
  readonly bytes: number
}

interface OwnRows {
  room(userId: UserId): Promise<{ readonly count: number; readonly bytes: number }>
}

/** To be asked after the rows are written. @throws {BadRequestError} where `userId` has more now than an account keeps */
export async function refuseTooMuch(rows: OwnRows, userId: UserId, { what, count, bytes }: OwnRoom): Promise<void> {
  const room = await rows.room(userId)
  if (room.count > count) throw new BadRequestError(`You have too many ${what} (limit: ${count})`)
  if (room.bytes > bytes) throw new BadRequestError(`Your ${what} are too long (limit: ${bytes} bytes in all)`)
}
