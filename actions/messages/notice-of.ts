import type { UserId } from '../../domain/ids.ts'
import { renderMessage } from '../../domain/markdown/render.ts'
import type { LinkableChannel } from '../../domain/markdown/scope.ts'
import type { AlertWordIndex } from '../../domain/users/alert-words.ts'
import type { User } from '../../domain/users/user.ts'
import type { Notice } from './send-message.ts'

/** Finds the users whose alert words are in a text. */
export type AlertWords = Pick<AlertWordIndex, 'usersIn'>

/**
 * Returns the text of a notice that names only `user` and `channels`, so that rendering needs no look-up and little
 * time.
 */
export function noticeOf(
  content: string,
  user: Pick<User, 'id' | 'fullName'>,
  channels: readonly LinkableChannel[],
  alertWords: AlertWords,
): Pick<Notice, 'content' | 'rendered' | 'alertedUserIds'> {
  const rendered = renderMessage<UserId>(content, {
    userOfMention: (_, id) => (id === user.id ? user : undefined),
    channelOfLink: (name) => channels.find((channel) => channel.name === name),
  })
  return { content, rendered, alertedUserIds: alertWords.usersIn(rendered.html) }
}
