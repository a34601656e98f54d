import { type Channel, channelGroup } from '../domain/channels/channel.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { Message } from '../domain/messages/message.ts'
import type { OrganizationState } from '../domain/organization/organization-state.ts'
import { CHANNEL_GROUP_SETTINGS, ORGANIZATION_GROUP_SETTINGS } from '../domain/user-groups/group-settings.ts'
import type { User } from '../domain/users/user.ts'
import type { Actor } from './actor.ts'

/** Grace period for edits that users began in time (LIMIT-16). */
export const EDIT_GRACE_SECONDS = 20

/**
 * Checks whether `actor` may edit the content of the message (MSG-EDIT-30, MSG-EDIT-34, MSG-EDIT-62).
 *
 * @throws {BadRequestError} with the reason
 */
export function checkContentEdit(
  actor: Actor,
  message: Pick<Message, 'sender' | 'sentAt'>,
  organization: OrganizationState,
): void {
  const { allow_message_editing: isAllowed, message_content_edit_limit_seconds: limit } = organization.settings
  if (message.sender.id !== actor.id) throw new BadRequestError("You don't have permission to edit this message")
  if (!isAllowed) throw new BadRequestError('Your organization has turned off message editing')
  if (limit !== null && organization.now - message.sentAt > limit + EDIT_GRACE_SECONDS) {
    throw new BadRequestError('The time limit for editing this message has passed')
  }
}

/** Whether `actor` may delete all messages of the organization or of this channel. */
export function mayDeleteAny(actor: Actor, channel: Channel | undefined, organization: OrganizationState): boolean {
  return mayHere(actor, 'can_delete_any_message_group', channel, organization)
}

/** Whether the organization's setting or the channel's setting of the same name permits it. */
function mayHere(
  actor: Actor,
  name: 'can_delete_any_message_group' | 'can_delete_own_message_group',
  channel: Channel | undefined,
  organization: OrganizationState,
): boolean {
  return (
    organization.may(ORGANIZATION_GROUP_SETTINGS[name], organization.settings[name], actor) ||
    (channel !== undefined && organization.may(CHANNEL_GROUP_SETTINGS[name], channelGroup(channel, name), actor))
  )
}

/**
 * Checks whether `actor`, who may not delete all messages, may delete this one: their own, or that of their bot.
 *
 * @throws {BadRequestError} with the reason
 */
export function checkOwnDeletion(
  actor: Actor,
  { sender, sentAt }: { readonly sender: Pick<User, 'id' | 'botOwnerId'>; readonly sentAt: number },
  channel: Channel | undefined,
  organization: OrganizationState,
): void {
  const isOwn = sender.id === actor.id || sender.botOwnerId === actor.id
  const mayDeleteOwn = mayHere(actor, 'can_delete_own_message_group', channel, organization)
  if (!isOwn || !mayDeleteOwn) throw new BadRequestError("You don't have permission to delete this message")
  const limit = organization.settings.message_content_delete_limit_seconds
  if (limit !== null && organization.now - sentAt > limit) {
    throw new BadRequestError('The time limit for deleting this message has passed')
  }
}
