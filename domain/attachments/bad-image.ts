import { ApiError } from '../errors.ts'

/** A picture that cannot be read, or is too large. */
export class BadImageError extends ApiError {
  readonly code = 'BAD_IMAGE'
}
