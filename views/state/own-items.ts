import { hasRole } from '../../domain/users/roles.ts'
import type { StatePart } from './state-request.ts'

/** What the caller keeps for themselves, each under the name of its events. */
export const ownItemsPart: StatePart = async ({ drafts, ownItems }, actor, { isWanted }) => ({
  ...(isWanted('drafts') && { drafts: (await drafts.of(actor.id)).reverse() }),
  ...(isWanted('saved_snippets') && { saved_snippets: await ownItems.savedSnippets(actor.id) }),
  ...(isWanted('scheduled_messages') && { scheduled_messages: await ownItems.scheduledMessages(actor.id) }),
  ...(isWanted('reminders') && { reminders: await ownItems.reminders(actor.id) }),
  ...(isWanted('navigation_views') && { navigation_views: await ownItems.navigationViews(actor.id) }),
  ...(isWanted('onboarding_steps') && {
    onboarding_steps: await ownItems.onboardingSteps(actor.id),
    navigation_tour_video_url: null,
  }),
  ...(isWanted('device') && { devices: await ownItems.devices(actor.id) }),
  ...(isWanted('realm_bot') && {
    realm_bots: await ownItems.bots(hasRole(actor.role, 'administrator') ? undefined : actor.id),
  }),
  // Parley offers none of these.
  ...(isWanted('video_calls') && { has_zoom_token: false }),
})
