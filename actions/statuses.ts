import type { Tx } from '../db/repositories.ts'
import type { User } from '../domain/users/user.ts'
import {
  type StatusParameters,
  statusChange,
  statusEmojiChoice,
  toWireStatusChange,
} from '../domain/users/user-status.ts'
import { announceUser } from './users/user-visibility.ts'

/** Changes the given fields of a status, and announces it. @throws BadRequestError for invalid parameters */
export async function changeStatus(
  tx: Tx,
  user: Pick<User, 'id' | 'isBot'>,
  parameters: StatusParameters,
): Promise<void> {
  const choice = statusEmojiChoice(parameters)
  const custom = choice ? await tx.customEmoji.candidates(choice.name, choice.code) : []
  const change = statusChange(parameters, custom)
  await tx.userStatuses.replace(user.id, { ...(await tx.userStatuses.of(user.id)), ...change })
  await announceUser(tx, user, { type: 'user_status', user_id: user.id, ...toWireStatusChange(change) })
}
