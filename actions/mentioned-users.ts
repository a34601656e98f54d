import type { Readers } from '../db/database.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { RenderedMessage } from '../domain/markdown/render.ts'
import { whoMayMention } from '../domain/user-group.ts'
import type { PermissionContext } from '../permissions/access-channel.ts'
import type { Actor } from '../permissions/actor.ts'
import { isInGroup, waitingPeriodStart } from '../permissions/groups.ts'

/**
 * Everybody whom `writer` mentions, by name or as a member of a group, each once.
 * @throws {BadRequestError} for a group that the writer may only name silently
 */
export async function mentionedUserIds(
  read: Readers,
  writer: Actor,
  {
    mentionedUserIds: named,
    mentionedGroupIds,
  }: Pick<RenderedMessage<UserId>, 'mentionedUserIds' | 'mentionedGroupIds'>,
  { organization, now }: PermissionContext,
): Promise<UserId[]> {
  const groups = await read.userGroups.byIds([...mentionedGroupIds])
  for (const group of groups) {
    if (!isInGroup(whoMayMention(group), writer, organization, now)) {
      throw new BadRequestError(`You are not allowed to mention user group '${group.name}'.`)
    }
  }
  const members = await read.userGroups.memberIds(
    groups.map((group) => group.id),
    waitingPeriodStart(organization, now),
  )
  return [...new Set([...named, ...members])]
}
