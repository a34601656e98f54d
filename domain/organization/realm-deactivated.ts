import { ApiError } from '../errors.ts'

/** The organization is deactivated, until an operator reactivates it. */
export class RealmDeactivatedError extends ApiError {
  readonly code = 'REALM_DEACTIVATED'
  override readonly status = 401
  constructor() {
    super('This organization has been deactivated')
  }
}
