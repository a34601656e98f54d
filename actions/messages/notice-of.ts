import type { UserId } from '../../domain/ids.ts'
import { renderMessage } from '../../domain/markdown/render.ts'
import type { LinkableChannel } from '../../domain/markdown/scope.ts'
import type { User } from '../../domain/users/user.ts'
import type { AlertWords } from '../../events/alert-words.ts'
import type { RenderedText } from './render-content.ts'

/**
 * Returns the text of a notice that names only `user` and `channels`, so that rendering needs no look-up and little
 * time.
 */
export function noticeOf(
  content: string,
  user: Pick<User, 'id' | 'fullName'>,
  channels: readonly LinkableChannel[],
  alertWords: AlertWords,
): RenderedText {
  const rendered = renderMessage<UserId>(content, {
    userOfMention: (_, id) => (id === user.id ? user : undefined),
    channelOfLink: (name) => channels.find((channel) => channel.name === name),
  })
  return { content, rendered, alertedUserIds: alertWords.usersIn(rendered.html) }
}
