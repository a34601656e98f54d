import { greet } from '../../actions/invitations/greet.ts'
import { normalizeContent } from '../../domain/messages/message-content.ts'
import type { Handler } from '../handler.ts'

/** POST /realm/test_welcome_bot_custom_message. */
export const previewWelcomeMessage: Handler<'preview-welcome-message'> = async ({ input, write, render }) => {
  const content = normalizeContent(input.welcome_message_custom_text)
  const rendered = await render(content)
  return { message_id: await write((tx, actor) => greet(tx, actor, actor, { content, rendered })) }
}
