import { BadRequestError, CodedError } from '../domain/errors.ts'

/** Short, because a user waits for the answer. */
const PATIENCE_MS = 5000

/** A registration of a device. Only the relay can read the token in it. */
export interface RelayRegistration {
  readonly realm_uuid: string
  readonly token_kind: string
  readonly token_id: string
  readonly bouncer_public_key: string
  readonly encrypted_push_registration: string
}

/** A notification for one device, which only that device can read. */
export interface RelayNotification {
  readonly token_id: string
  readonly push_key_id: number
  /** Base64 of a 24-byte nonce and a secretbox. */
  readonly encrypted_data: string
}

/** The service that delivers notifications to devices: docs/push.md. */
export class PushRelay {
  readonly #url: string

  /** @param url without a slash at the end */
  constructor(url: string) {
    this.#url = url
  }

  /** @throws {BadRequestError} if the relay refuses the registration; {ApiError} if it cannot be reached */
  async register(registration: RelayRegistration): Promise<void> {
    await this.#post('/register', registration)
  }

  /**
   * @param signal aborts early
   * @throws {ApiError} if not all notifications were delivered to the relay
   */
  async notify(realm_uuid: string, notifications: readonly RelayNotification[], signal?: AbortSignal): Promise<void> {
    await this.#post('/notify', { realm_uuid, notifications }, signal)
  }

  async #post(path: string, body: object, signal?: AbortSignal): Promise<void> {
    const status = await this.#statusOf(path, JSON.stringify(body), signal)
    if (status >= 200 && status < 300) return
    if (status === 400) throw new BadRequestError('Invalid encrypted_push_registration')
    // A redirect leads to an address that nobody configured.
    if (status < 500) {
      const sentence =
        'Push notification configuration issue on server, contact the server administrator or retry later.'
      throw new CodedError('ADMIN_ACTION_REQUIRED', sentence, { status: 403 })
    }
    const sentence = 'Internal server error on the push notification service, retry later.'
    throw new CodedError('INTERNAL_SERVER_ERROR_ON_BOUNCER', sentence, { status: 502 })
  }

  async #statusOf(path: string, body: string, signal?: AbortSignal): Promise<number> {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    try {
      const answer = await fetch(`${this.#url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, patience]) : patience,
      })
      // The rest of the answer may be endless.
      await answer.body?.cancel()
      return answer.status
    } catch (err) {
      const sentence = 'Network error while connecting to the push notification service.'
      throw new CodedError('FAILED_TO_CONNECT_BOUNCER', sentence, { status: 502, cause: err })
    }
  }
}
