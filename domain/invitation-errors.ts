import { ApiError } from './errors.ts'

/** An address that was not invited, the reason, and whether the address belongs to a deactivated account. */
export type NotInvited = [email: string, why: string, isDeactivated: boolean]

/** Some addresses could not be invited. */
export class InvitationFailedError extends ApiError {
  readonly code = 'INVITATION_FAILED'
  override readonly data: Readonly<Record<string, unknown>>
  /** @param areOthersInvited whether the other addresses were invited */
  constructor(message: string, errors: readonly NotInvited[], areOthersInvited: boolean) {
    super(message)
    this.data = {
      errors,
      sent_invitations: areOthersInvited,
      license_limit_reached: false,
      daily_limit_reached: false,
    }
  }
}
