import { ApiError } from '../errors.ts'

/** Nobody is served until an operator brings the organization back. */
export class RealmDeactivatedError extends ApiError {
  override readonly name = 'RealmDeactivatedError'
  readonly code = 'REALM_DEACTIVATED'
  override readonly status = 401
  constructor() {
    super('This organization has been deactivated')
  }
}
