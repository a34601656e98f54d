import type { UserId } from '../../domain/ids.ts'
import { renderMessage } from '../../domain/markdown/render.ts'
import type { LinkableChannel } from '../../domain/markdown/scope.ts'
import type { User } from '../../domain/users/user.ts'
import type { Notice } from './send-message.ts'

/** Returns the users whose alert words are in a text. */
export type AlertedBy = (html: string) => readonly UserId[]

/**
 * Returns the text of a notice that names only `user` and `channels`, so that rendering needs no look-up and little
 * time.
 */
export function noticeOf(
  content: string,
  user: Pick<User, 'id' | 'fullName'>,
  channels: readonly LinkableChannel[],
  alertedBy: AlertedBy,
): Pick<Notice, 'content' | 'rendered' | 'alertedUserIds'> {
  const rendered = renderMessage<UserId>(content, {
    userOfMention: (_, id) => (id === user.id ? user : undefined),
    channelOfLink: (name) => channels.find((channel) => channel.name === name),
  })
  return { content, rendered, alertedUserIds: alertedBy(rendered.html) }
}
