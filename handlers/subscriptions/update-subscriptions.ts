import { joinChannels, wantedChannels } from '../../actions/join-channels.ts'
import { leaveChannels } from '../../actions/leave-channels.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { presentActor } from '../../permissions/present-actor.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/me/subscriptions: leaves some channels and follows others, in one step. */
export const updateSubscriptions: Handler<'update-subscriptions'> = async ({
  input,
  actor: caller,
  db,
  clock,
  organization,
}) => {
  const leaving = input.delete ?? []
  const wanted = wantedChannels(input.add ?? [])
  if (leaving.length === 0 && wanted.length === 0) {
    throw new BadRequestError("Nothing to do: send channels in 'add', in 'delete', or in both.")
  }
  const context = { organization, now: unixSeconds(clock) }
  return db.transaction(async (tx) => {
    const actor = await presentActor(tx, caller)
    const left = await leaveChannels(tx, actor, leaving, [actor], context)
    const options = { wishes: {}, isRefusalFatal: true }
    const { subscribed, already_subscribed } = await joinChannels(tx, actor, wanted, [actor], options, context)
    return { subscribed, already_subscribed, ...left }
  })
}
