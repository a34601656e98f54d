import { ApiError } from '../errors.ts'

/** Names are compared regardless of case, and also with channels that the caller may not know. */
export class ChannelAlreadyExistsError extends ApiError {
  readonly code = 'CHANNEL_ALREADY_EXISTS'
  override readonly status = 409
  override readonly data: { readonly channel_name: string }
  constructor(name: string) {
    super(`Channel '${name}' already exists`)
    this.data = { channel_name: name }
  }
}
