import { changeSubscription } from '../../actions/subscriptions/change-subscription.ts'
import { checkPersonalChange } from '../../domain/users/personal-settings.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/me/subscriptions/{stream_id} (SUB-1 to SUB-22). */
export const updateSubscriptionSetting: Handler<'update-subscription-setting'> = async ({ input, write }) => {
  const change = checkPersonalChange(input.property, input.value)
  await write((tx, actor) => changeSubscription(tx, actor, input.stream_id, change))
  return {}
}
