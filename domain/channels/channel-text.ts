import { BadRequestError } from '../errors.ts'
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_DESCRIPTION_HTML_BYTES } from '../limits.ts'
import { renderDescription } from '../markdown/render.ts'
import { boundedText } from '../text/given-text.ts'
import type { Channel } from './channel.ts'

/**
 * Returns the description on one line, rendered; call it before the transaction. @throws {BadRequestError} if it is too
 * long
 */
export function channelDescription(raw: string): Pick<Channel, 'description' | 'renderedDescription'> {
  const description = boundedText('description', raw, MAX_CHANNEL_DESCRIPTION_LENGTH)
    .replace(/\r\n?|\n/g, ' ')
    .trim()
  return { description, renderedDescription: boundedDescriptionHtml(description) }
}

/** Returns the HTML of the description of a channel or folder. @throws {BadRequestError} if it is too long */
export function boundedDescriptionHtml(description: string): string {
  const html = renderDescription(description)
  if (Buffer.byteLength(html) <= MAX_DESCRIPTION_HTML_BYTES) return html
  throw new BadRequestError(`description is too long (limit: ${MAX_DESCRIPTION_HTML_BYTES} bytes as HTML)`)
}

/** Returns the stored form in days: null for the organization's setting, -1 for forever. */
export function storedRetentionDays(wanted: number | 'realm_default' | 'unlimited'): number | null {
  if (wanted === 'realm_default') return null
  return wanted === 'unlimited' ? -1 : wanted
}
