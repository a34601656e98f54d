import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../limits.ts'
import { renderDescription } from '../markdown/render.ts'
import { boundedText } from '../text/given-text.ts'
import type { Channel } from './channel.ts'

/** A description in one line, rendered: before the transaction. @throws {BadRequestError} where it is too long */
export function channelDescription(raw: string): Pick<Channel, 'description' | 'renderedDescription'> {
  const description = boundedText('description', raw, MAX_CHANNEL_DESCRIPTION_LENGTH).replaceAll('\n', ' ').trim()
  return { description, renderedDescription: renderDescription(description) }
}

/** Days as they are stored: null as the organization says, -1 for ever. */
export function storedRetentionDays(wanted: number | 'realm_default' | 'unlimited'): number | null {
  if (wanted === 'realm_default') return null
  return wanted === 'unlimited' ? -1 : wanted
}
