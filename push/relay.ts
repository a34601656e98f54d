import { BadRequestError } from '../domain/errors.ts'
import { AdminActionRequiredError, PushServiceFailedError, PushServiceUnreachableError } from '../domain/push-errors.ts'

/** Somebody waits for the answer. */
const PATIENCE_MS = 5000

/** A device that registers: the token in it can only be read by the relay. */
export interface RelayRegistration {
  readonly realm_uuid: string
  readonly token_kind: string
  readonly token_id: string
  readonly bouncer_public_key: string
  readonly encrypted_push_registration: string
}

/** What goes to one device: what it says can only be read there. */
export interface RelayNotification {
  readonly token_id: string
  readonly push_key_id: number
  /** Base64 of 24 bytes of nonce and a secretbox. */
  readonly encrypted_data: string
}

/** The service that brings notifications to devices: docs/push.md. */
export class PushRelay {
  readonly #url: string

  /** @param url without a slash at its end */
  constructor(url: string) {
    this.#url = url
  }

  /** @throws {BadRequestError} where the relay refuses the registration; {ApiError} where it cannot be asked */
  async register(registration: RelayRegistration): Promise<void> {
    await this.#post('/register', registration)
  }

  /**
   * @param signal gives up early
   * @throws {ApiError} where not all could be handed over
   */
  async notify(realm_uuid: string, notifications: readonly RelayNotification[], signal?: AbortSignal): Promise<void> {
    await this.#post('/notify', { realm_uuid, notifications }, signal)
  }

  async #post(path: string, body: object, signal?: AbortSignal): Promise<void> {
    const status = await this.#statusOf(path, JSON.stringify(body), signal)
    if (status >= 200 && status < 300) return
    if (status === 400) throw new BadRequestError('Invalid encrypted_push_registration')
    // A redirect is somebody else's address, which nobody configured.
    if (status < 500) throw new AdminActionRequiredError()
    throw new PushServiceFailedError()
  }

  async #statusOf(path: string, body: string, signal?: AbortSignal): Promise<number> {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    try {
      const answer = await fetch(`${this.#url}${path}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
        ...{ redirect: 'manual', signal: signal ? AbortSignal.any([signal, patience]) : patience },
      })
      // What it says beside the status may be endless.
      await answer.body?.cancel()
      return answer.status
    } catch (err) {
      throw new PushServiceUnreachableError({ cause: err })
    }
  }
}
