import { ApiError } from '../errors.ts'

/** A group, channel or setting that still needs a group that is to be deactivated. */
export type GroupObjection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }

/** The group is a subgroup of others, or a setting names it. */
export class CannotDeactivateGroupInUseError extends ApiError {
  readonly code = 'CANNOT_DEACTIVATE_GROUP_IN_USE'
  override readonly data: { readonly objections: readonly GroupObjection[] }
  /** @param objections those that the caller may know */
  constructor(objections: readonly GroupObjection[]) {
    super('Cannot deactivate user group in use.')
    this.data = { objections }
  }
}
