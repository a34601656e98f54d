import type { Readers } from '../db/database.ts'
import type { UserId } from '../domain/ids.ts'
import type { RenderedMessage } from '../domain/markdown/render.ts'
import type { PermissionContext } from '../permissions/access-channel.ts'
import { waitingPeriodStart } from '../permissions/groups.ts'

/** Everybody mentioned, by name or as a member of a group, each once. */
export async function mentionedUserIds(
  read: Readers,
  rendered: Pick<RenderedMessage<UserId>, 'mentionedUserIds' | 'mentionedGroupIds'>,
  { organization, now }: PermissionContext,
): Promise<UserId[]> {
  const newSince = waitingPeriodStart(organization, now)
  const members = await read.userGroups.memberIds([...rendered.mentionedGroupIds], newSince)
  return [...new Set([...rendered.mentionedUserIds, ...members])]
}
