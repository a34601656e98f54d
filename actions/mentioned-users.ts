import type { Readers } from '../db/database.ts'
import type { UserId } from '../domain/ids.ts'
import type { RenderedMessage } from '../domain/markdown/render.ts'
import type { Rules } from '../permissions/message-rules.ts'

const DAY_SECONDS = 86_400

/** Everybody mentioned, by name or as a member of a group, each once. */
export async function mentionedUserIds(
  read: Readers,
  rendered: Pick<RenderedMessage<UserId>, 'mentionedUserIds' | 'mentionedGroupIds'>,
  { organization, now }: Rules,
): Promise<UserId[]> {
  const newSince = now - organization.settings.waiting_period_threshold * DAY_SECONDS
  const members = await read.userGroups.memberIds([...rendered.mentionedGroupIds], newSince)
  return [...new Set([...rendered.mentionedUserIds, ...members])]
}
