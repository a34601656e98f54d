import type { Tx } from '../db/repositories.ts'
import type { UserId } from '../domain/ids.ts'
import {
  type StatusParameters,
  statusChange,
  statusEmojiChoice,
  toWireStatusChange,
} from '../domain/users/user-status.ts'

/** Changes a status as far as `parameters` say, and tells everybody. @throws BadRequestError for what is invalid */
export async function changeStatus(tx: Tx, userId: UserId, parameters: StatusParameters): Promise<void> {
  const choice = statusEmojiChoice(parameters)
  const custom = choice ? await tx.customEmoji.candidates(choice.name, choice.code) : []
  const change = statusChange(parameters, custom)
  await tx.userStatuses.replace(userId, { ...(await tx.userStatuses.of(userId)), ...change })
  tx.events.append({ type: 'user_status', user_id: userId, ...toWireStatusChange(change) }, { to: 'everyone' })
}
