import { MAX_ENDING_PAIRS, refuseTooManyPairs } from '../../actions/subscriptions/join-channels.ts'
import { leaveChannels } from '../../actions/subscriptions/leave-channels.ts'
import { principals } from '../../actions/users/principals.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/me/subscriptions: unsubscribes the caller, or others with permission. */
export const unsubscribe: Handler<'unsubscribe'> = async ({ input, write }) => {
  refuseTooManyPairs(input.subscriptions.length, input.principals?.length ?? 1, MAX_ENDING_PAIRS)
  return write(async (tx, actor) => {
    const users = await principals(tx, actor, input.principals)
    return leaveChannels(tx, actor, input.subscriptions, users)
  })
}
