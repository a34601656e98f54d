import type { Readers, Tx } from '../db/repositories.ts'
import type { MessageId, UserId } from '../domain/ids.ts'
import type { RenderedMessage } from '../domain/markdown/render.ts'
import { normalizeContent } from '../domain/messages/message-content.ts'
import type { User } from '../domain/users/user.ts'
import type { Actor } from '../permissions/actor.ts'
import { type RenderingContext, renderContent } from './render-content.ts'
import { sendDirectNotice } from './send-message.ts'

/** What somebody new is greeted with. */
export interface Greeting {
  readonly content: string
  readonly rendered: RenderedMessage<UserId>
}

/**
 * Renders a greeting before the transaction, at the cost of `writer`, who lets somebody in.
 * @param text of an invitation; null for the one of the organization
 * @returns undefined where there is nothing to say
 */
export async function preparedGreeting(
  read: Readers,
  writer: Actor,
  text: string | null,
  context: RenderingContext,
): Promise<Greeting | undefined> {
  const content = normalizeContent(text ?? read.organization.settings.welcome_message_custom_text)
  if (!content.ok) return undefined
  return { content: content.value, rendered: await renderContent(read, writer, content.value, context) }
}

/** Sends it as the notification bot. Somebody new has no alert words. */
export function greet(tx: Tx, to: User, greeting: Greeting): Promise<MessageId> {
  return sendDirectNotice(tx, { to, ...greeting, alertedUserIds: [] })
}
