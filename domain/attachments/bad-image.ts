import { ApiError } from '../errors.ts'

/** A picture that cannot be read, or is too large. */
export class BadImageError extends ApiError {
  readonly code = 'BAD_IMAGE'
}

/** A picture that was not read, because the process that reads it was killed or too slow: it may be read later. */
export class UnreadImageError extends BadImageError {}
