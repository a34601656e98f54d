import { renderContent } from '../../actions/render-content.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { BadRequestError } from '../../domain/errors.ts'
import { normalizeContent } from '../../domain/message-content.ts'
import type { Handler } from '../handler.ts'

/** POST /messages/render: what the content would look like as a message of the caller; nothing yet looks like nothing. */
export const renderMessage: Handler<'render-message'> = async (services) => {
  const { input, actor, db, clock, organization, site, rendering } = services
  if (input.content.trim() === '') return { rendered: '' }
  const content = normalizeContent(input.content)
  if (!content.ok) throw new BadRequestError(content.message)
  const context = { organization, now: unixSeconds(clock), publicUrl: site.publicUrl, rendering }
  const { html } = await renderContent(db.read, actor, content.value, context)
  return { rendered: html }
}
