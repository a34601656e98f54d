import { wireCustomEmojis } from '../../domain/emoji/custom-emoji.ts'
import { toWireReminder } from '../../domain/messages/reminder.ts'
import { toWireScheduledMessage } from '../../domain/messages/scheduled-message.ts'
import { stepsAfter } from '../../domain/onboarding-steps.ts'
import { toWireMutedUser } from '../../domain/users/muted-user.ts'
import { hasRole, isGuest } from '../../domain/users/roles.ts'
import type { InitialState, StatePart } from './state-request.ts'

/** What one fetch type returns, if nothing else needs the same rows. */
const FIELDS: Readonly<Record<string, StatePart>> = {
  alert_words: async ({ alertWords }, { id }) => ({ alert_words: await alertWords.of(id) }),
  channel_folders: async ({ channelFolders }, _actor, { pauses }) => ({
    channel_folders: await channelFolders.all(pauses),
  }),
  default_streams: async ({ defaultChannels }, { role }) => ({
    realm_default_streams: isGuest(role) ? [] : await defaultChannels.ids(),
  }),
  default_stream_groups: async ({ defaultChannels }, { role }) => ({
    realm_default_stream_groups: isGuest(role) ? [] : await defaultChannels.groups(),
  }),
  device: async ({ devices }, { id }) => ({ devices: await devices.of(id) }),
  /** The most recently edited first. */
  drafts: async ({ drafts }, { id }) => ({ drafts: (await drafts.of(id)).reverse() }),
  muted_users: async ({ mutedUsers }, { id }) => ({ muted_users: (await mutedUsers.of(id)).map(toWireMutedUser) }),
  navigation_views: async ({ navigationViews }, { id }) => ({ navigation_views: await navigationViews.of(id) }),
  /** Notices that the caller has not seen yet. There is no introduction video. */
  onboarding_steps: async ({ onboardingSteps }, { id }) => ({
    onboarding_steps: stepsAfter(await onboardingSteps.seenBy(id)),
    navigation_tour_video_url: null,
  }),
  /** The caller's own bots; administrators get everybody's. */
  realm_bot: async ({ bots }, { id, role }) => ({
    realm_bots: await bots.of(hasRole(role, 'administrator') ? undefined : id),
  }),
  realm_domains: async ({ emailDomains }) => ({ realm_domains: await emailDomains.all() }),
  realm_emoji: async ({ customEmoji }) => ({ realm_emoji: wireCustomEmojis(await customEmoji.all()) }),
  realm_playgrounds: async ({ playgrounds }) => ({ realm_playgrounds: await playgrounds.all() }),
  reminders: async ({ reminders }, { id }) => ({
    reminders: (await reminders.of(id)).map((reminder) => toWireReminder(reminder, id)),
  }),
  saved_snippets: async ({ savedSnippets }, { id }) => ({ saved_snippets: await savedSnippets.of(id) }),
  scheduled_messages: async ({ scheduledMessages }, { id }) => ({
    scheduled_messages: (await scheduledMessages.of(id)).map(toWireScheduledMessage),
  }),
}

/** Others are served between the fields. */
export const part: StatePart = async (read, actor, request) => {
  const state: Partial<InitialState> = {}
  for (const [type, fieldsOf] of Object.entries(FIELDS)) {
    if (!request.isWanted(type)) continue
    Object.assign(state, await fieldsOf(read, actor, request))
    await request.pauses.letOthers()
  }
  return state
}
