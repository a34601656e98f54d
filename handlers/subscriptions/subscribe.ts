import { joinChannels, MAX_PAIRS, refuseTooManyPairs, wantedChannels } from '../../actions/join-channels.ts'
import { principals } from '../../actions/principals.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/subscriptions: subscribes oneself or others, and makes the channels that do not exist yet. */
export const subscribe: Handler<'subscribe'> = async ({ input, write }) => {
  const wanted = wantedChannels(input.subscriptions)
  refuseTooManyPairs(wanted.length, input.principals?.length ?? 1, MAX_PAIRS)
  const isRefusalFatal = input.authorization_errors_fatal
  return write(async (tx, actor) => {
    const users = await principals(tx, actor, input.principals)
    const joined = await joinChannels(tx, actor, wanted, users, { wishes: input, isRefusalFatal })
    const { unauthorized, ...subscribed } = joined
    return {
      ...subscribed,
      ...(!isRefusalFatal && { unauthorized }),
      ...(input.send_new_subscription_messages && { new_subscription_messages_sent: false }),
    }
  })
}
