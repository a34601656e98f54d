import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../limits.ts'
import { renderDescription } from '../markdown/render.ts'
import { boundedText } from '../text/given-text.ts'
import type { Channel } from './channel.ts'

/**
 * Returns the description on one line, rendered; call it before the transaction. @throws {BadRequestError} if it is too
 * long
 */
export function channelDescription(raw: string): Pick<Channel, 'description' | 'renderedDescription'> {
  const description = boundedText('description', raw, MAX_CHANNEL_DESCRIPTION_LENGTH).replaceAll('\n', ' ').trim()
  return { description, renderedDescription: renderDescription(description) }
}

/** Returns the stored form in days: null for the organization's setting, -1 for forever. */
export function storedRetentionDays(wanted: number | 'realm_default' | 'unlimited'): number | null {
  if (wanted === 'realm_default') return null
  return wanted === 'unlimited' ? -1 : wanted
}
