import { normalizeContent } from '../../domain/messages/message-content.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/render: HTML of the content as a message of the caller; blank content gives blank HTML. */
export const renderMessage: Handler<'render-message'> = async ({ input, render }) => {
  if (input.content.trim() === '') return { rendered: '' }
  const { html } = await render(normalizeContent(input.content))
  return { rendered: html }
}
