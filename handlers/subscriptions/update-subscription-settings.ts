import { changeSubscription } from '../../actions/subscriptions/change-subscription.ts'
import { checkPersonalChange } from '../../domain/users/personal-settings.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/subscriptions/properties: the bulk form of PATCH /users/me/subscriptions/{stream_id} (SUB-20). */
export const updateSubscriptionSettings: Handler<'update-subscription-settings'> = async ({ input, write }) => {
  // The last value counts.
  const changes = new Map(
    input.subscription_data.map(({ stream_id: channelId, property, value }) => {
      const change = checkPersonalChange(property, value)
      return [`${channelId} ${change.setting}`, { channelId, change }]
    }),
  )
  await write(async (tx, actor) => {
    for (const { channelId, change } of changes.values()) await changeSubscription(tx, actor, channelId, change)
  })
  return {}
}
