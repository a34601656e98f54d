import { ApiError } from '../errors.ts'

/** Names of channels compare without case, and one that the caller may not know of has its name all the same. */
export class ChannelAlreadyExistsError extends ApiError {
  override readonly name = 'ChannelAlreadyExistsError'
  readonly code = 'CHANNEL_ALREADY_EXISTS'
  override readonly status = 409
  override readonly data: { readonly channel_name: string }
  constructor(name: string) {
    super(`Channel '${name}' already exists`)
    this.data = { channel_name: name }
  }
}
