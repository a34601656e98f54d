import { ApiError } from './errors.ts'

/** The server has no push service (PUSHTEST-8). */
export class PushServiceNotConfiguredError extends ApiError {
  readonly code = 'PUSH_SERVICE_NOT_CONFIGURED'
  constructor() {
    super('Server is not configured to use push notification service.')
  }
}

/** No device of the caller can get notifications (PUSHTEST-4). */
export class NoActivePushDeviceError extends ApiError {
  readonly code = 'NO_ACTIVE_PUSH_DEVICE'
  constructor() {
    super('No active registered push device')
  }
}

/** No device of the caller has this token. */
export class InvalidPushDeviceTokenError extends ApiError {
  readonly code = 'INVALID_PUSH_DEVICE_TOKEN'
  constructor() {
    super('Device not recognized')
  }
}

/** The push service rejects this server (PUSHTEST-5). */
export class AdminActionRequiredError extends ApiError {
  readonly code = 'ADMIN_ACTION_REQUIRED'
  override readonly status = 403
  constructor() {
    super('Push notification configuration issue on server, contact the server administrator or retry later.')
  }
}

/** The push service cannot be reached (PUSHTEST-6). */
export class PushServiceUnreachableError extends ApiError {
  readonly code = 'FAILED_TO_CONNECT_BOUNCER'
  override readonly status = 502
  constructor(options?: ErrorOptions) {
    super('Network error while connecting to the push notification service.', options)
  }
}

/** The push service fails (PUSHTEST-7). */
export class PushServiceFailedError extends ApiError {
  readonly code = 'INTERNAL_SERVER_ERROR_ON_BOUNCER'
  override readonly status = 502
  constructor() {
    super('Internal server error on the push notification service, retry later.')
  }
}
