import type { Readers } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { RenderedMessage } from '../../domain/markdown/render.ts'
import { whoMayMention } from '../../domain/user-groups/user-group.ts'
import type { Actor } from '../../permissions/actor.ts'

/** Maximum number of recipients mentioned without `can_mention_many_users_group`. Each of them gets a row. */
const MAX_MENTIONED = 1000

/**
 * Returns everybody whom `writer` mentions, by name or as a member of a group, each once.
 *
 * @throws {BadRequestError} for a group that the writer may mention only silently
 */
export async function mentionedUserIds(
  read: Readers,
  writer: Actor,
  {
    mentionedUserIds: named,
    mentionedGroupIds,
  }: Pick<RenderedMessage<UserId>, 'mentionedUserIds' | 'mentionedGroupIds'>,
): Promise<UserId[]> {
  const { organization } = read
  const groups = await read.userGroups.byIds([...mentionedGroupIds])
  for (const group of groups) {
    if (!organization.isIn(whoMayMention(group), writer)) {
      throw new BadRequestError(`You are not allowed to mention user group '${group.name}'.`)
    }
  }
  const members = await read.userGroups.memberIds(
    groups.map((group) => group.id),
    organization.waitingPeriodStart,
  )
  return [...new Set([...named, ...members])]
}

/**
 * Returns the mentioned bots that do not receive the channel's messages. A mention calls a bot in every public channel;
 * it reaches people only where they follow.
 */
export async function calledBots(
  read: Readers,
  { inviteOnly }: Pick<Channel, 'inviteOnly'>,
  mentioned: readonly UserId[],
  receiving: ReadonlySet<UserId>,
): Promise<UserId[]> {
  return inviteOnly ? [] : read.users.botsAmong(mentioned.filter((id) => !receiving.has(id)))
}

/** @throws {BadRequestError} if the writer may not mention so many recipients of one message */
export function checkMentioned(read: Readers, writer: Actor, recipients: readonly UserId[]): void {
  if (recipients.length <= MAX_MENTIONED) return
  if (read.organization.isIn(read.organization.settings.can_mention_many_users_group, writer)) return
  throw new BadRequestError(`You are not allowed to mention more than ${MAX_MENTIONED} people.`)
}
