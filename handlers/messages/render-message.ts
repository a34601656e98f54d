import { renderContent } from '../../actions/messages/render-content.ts'
import { accepted } from '../../domain/checked.ts'
import { normalizeContent } from '../../domain/messages/message-content.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/render: HTML of the content as a message of the caller; blank content gives blank HTML. */
export const renderMessage: Handler<'render-message'> = async (services) => {
  const { input, actor, db, site, rendering } = services
  if (input.content.trim() === '') return { rendered: '' }
  const content = accepted(normalizeContent(input.content))
  const { html } = await renderContent(db.read, actor, content, { publicUrl: site.publicUrl, rendering })
  return { rendered: html }
}
