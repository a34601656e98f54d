import { joinChannels, wantedChannels } from '../../actions/subscriptions/join-channels.ts'
import { leaveChannels } from '../../actions/subscriptions/leave-channels.ts'
import { BadRequestError, NotForGuestsError } from '../../domain/errors.ts'
import { isGuest } from '../../domain/users/roles.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/me/subscriptions: unsubscribes from some channels and subscribes to others, in one step. */
export const updateSubscriptions: Handler<'update-subscriptions'> = async ({ input, write }) => {
  const leaving = input.delete ?? []
  const wanted = wantedChannels(input.add ?? [])
  if (leaving.length === 0 && wanted.length === 0) {
    throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
  }
  return write(async (tx, actor) => {
    if (wanted.length > 0 && isGuest(actor.role)) throw new NotForGuestsError()
    const left = await leaveChannels(tx, actor, leaving, [actor])
    const options = { wishes: {}, isRefusalFatal: true }
    const { answer } = await joinChannels(tx, actor, wanted, [actor], options)
    const { subscribed, already_subscribed } = answer
    return { subscribed, already_subscribed, ...left }
  })
}
