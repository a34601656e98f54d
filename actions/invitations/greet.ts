import type { Readers, Tx } from '../../db/repositories.ts'
import type { MessageId } from '../../domain/ids.ts'
import { normalizeContent } from '../../domain/messages/message-content.ts'
import type { User } from '../../domain/users/user.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { RenderedText, TextRenderer } from '../messages/render-content.ts'
import { sendDirectNotice } from '../messages/send-message.ts'

/** The message that greets a new user. */
export type Greeting = Pick<RenderedText, 'content' | 'rendered'>

/**
 * Renders a greeting before the transaction. The time counts against the account that admits the user.
 *
 * @param text of an invitation; null for that of the organization
 * @returns undefined if there is no text
 */
export async function preparedGreeting(
  read: Readers,
  text: string | null,
  { render }: TextRenderer,
): Promise<Greeting | undefined> {
  const wanted = text ?? read.organization.settings.welcome_message_custom_text
  if (wanted.trim() === '') return undefined
  const content = normalizeContent(wanted)
  return { content, rendered: await render(content) }
}

/** Sends the greeting as the notification bot. A new user has no alert words. @param writer for whom it was rendered */
export function greet(tx: Tx, to: User, writer: Actor, greeting: Greeting): Promise<MessageId> {
  return sendDirectNotice(tx, { to, ...greeting, alertedUserIds: [], writer })
}
