import { announceChannels, notifySubscribed } from '../../actions/channels/announce-new-channels.ts'
import {
  joinChannels,
  MAX_PAIRS,
  refuseTooManyPairs,
  wantedChannels,
} from '../../actions/subscriptions/join-channels.ts'
import { principals } from '../../actions/users/principals.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/subscriptions: subscribes the caller or others, and creates channels that do not exist yet. */
export const subscribe: Handler<'subscribe'> = async ({ input, write, alertWords }) => {
  const wanted = wantedChannels(input.subscriptions)
  refuseTooManyPairs(wanted.length, input.principals?.length ?? 1, MAX_PAIRS)
  const isRefusalFatal = input.authorization_errors_fatal
  return write(async (tx, actor) => {
    const users = await principals(tx, actor, input.principals)
    const joined = await joinChannels(tx, actor, wanted, users, { wishes: input, isRefusalFatal })
    const { unauthorized, ...subscribed } = joined.answer
    const mayTell = input.send_new_subscription_messages
    const areTold = mayTell && (await notifySubscribed(tx, actor, users, joined, alertWords))
    if (input.announce) await announceChannels(tx, actor, joined.made, alertWords)
    return {
      ...subscribed,
      ...(!isRefusalFatal && { unauthorized }),
      ...(mayTell && { new_subscription_messages_sent: areTold }),
    }
  })
}
