import type { StatePart } from './state-request.ts'

/**
 * Features that Parley does not have: GIFs, payment, calls, embedded programs, incoming webhooks. Its search matches
 * every word.
 */
export const part: StatePart = async (_read, _actor, { isWanted }) => ({
  ...(isWanted('giphy') && { giphy_api_key: '' }),
  ...(isWanted('tenor') && { tenor_api_key: '' }),
  ...(isWanted('realm_billing') && { realm_billing: { has_pending_sponsorship_request: false } }),
  ...(isWanted('realm_embedded_bots') && { realm_embedded_bots: [] }),
  ...(isWanted('realm_incoming_webhook_bots') && { realm_incoming_webhook_bots: [] }),
  ...(isWanted('stop_words') && { stop_words: [] }),
  ...(isWanted('video_calls') && { has_zoom_token: false }),
})
