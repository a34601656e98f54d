import type { Readers } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { conversationOf } from '../domain/messages/message.ts'
import { SYSTEM_GROUP_ID } from '../domain/user-groups/system-groups.ts'
import type { User } from '../domain/users/user.ts'
import type { Actor } from './actor.ts'

/**
 * Checks whether `sender` may write to `recipients`: somebody in the conversation must be allowed direct messages, and
 * starting a conversation needs a permission of its own. Bots may always write, and everybody may write to bots and to
 * themselves.
 *
 * @throws {BadRequestError} with the reason
 */
export async function checkDirectMessage(read: Readers, sender: Actor, recipients: readonly User[]): Promise<void> {
  const others = recipients.filter((user) => user.id !== sender.id)
  if (sender.isBot || others.every((user) => user.isBot)) return
  const { organization } = read
  const { direct_message_permission_group: permission, direct_message_initiator_group: initiator } =
    organization.settings
  if (![sender, ...others].some((user) => organization.isIn(permission, user))) {
    throw new BadRequestError(
      permission === SYSTEM_GROUP_ID['role:nobody']
        ? 'Direct messages are disabled in this organization.'
        : 'This conversation does not include any users who can authorize it.',
    )
  }
  if (organization.isIn(initiator, sender)) return
  const memberIds = conversationOf(
    sender.id,
    others.map((user) => user.id),
  )
  const groupId = await read.directGroups.find(memberIds)
  if (groupId !== undefined && (await read.messages.isAnyInConversation(groupId))) return
  throw new BadRequestError('You do not have permission to initiate direct message conversations.')
}
