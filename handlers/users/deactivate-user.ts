import { deactivateUser as deactivate } from '../../actions/change-activity.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { Input } from '../../generated/operations.ts'
import { accessUser } from '../../permissions/access-user.ts'
import type { Handler } from '../handler.ts'

/** DELETE /users/{user_id} (STATE-USER-3). */
export const deactivateUser: Handler<'deactivate-user'> = async ({ input, write, clock, organization }) => {
  refuseToDelete(input.actions ?? {})
  await write(async (tx, actor) => {
    await deactivate(tx, actor, await accessUser(tx, input.user_id_or_email), {
      organization,
      now: unixSeconds(clock),
    })
  })
  return {}
}

/** @throws {BadRequestError} rather than keep what an administrator wants to be gone */
function refuseToDelete(actions: NonNullable<Input<'deactivate-user'>['actions']>): void {
  const [wanted] = Object.entries(actions).flatMap(([name, isWanted]) => (isWanted === true ? [name] : []))
  if (wanted !== undefined)
    throw new BadRequestError(`actions: this server deletes nothing with an account (${wanted})`)
}
