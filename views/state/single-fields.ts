import { wireCustomEmojis } from '../../domain/emoji/custom-emoji.ts'
import { toWireReminder } from '../../domain/messages/reminder.ts'
import { toWireScheduledMessage } from '../../domain/messages/scheduled-message.ts'
import { stepsAfter } from '../../domain/onboarding-steps.ts'
import { toWireMutedUser } from '../../domain/users/muted-user.ts'
import { hasRole, isGuest } from '../../domain/users/roles.ts'
import { USER_SETTING_CHOICES, userSettingsDefaults } from '../../domain/users/user-settings.ts'
import { toWireStatus } from '../../domain/users/user-status.ts'
import { visibilityFor } from '../../permissions/visible-users.ts'
import { toWirePresences, visiblePresences } from '../presences.ts'
import type { InitialState, StatePart } from './state-request.ts'

/** The number that a client shows. For older conversations, clients read the history. */
const MAX_CONVERSATIONS = 1000

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
  /** Parley has no GIFs. */
  giphy: async () => ({ giphy_api_key: '' }),
  muted_users: async ({ mutedUsers }, { id }) => ({ muted_users: (await mutedUsers.of(id)).map(toWireMutedUser) }),
  navigation_views: async ({ navigationViews }, { id }) => ({ navigation_views: await navigationViews.of(id) }),
  /** Notices that the caller has not seen yet. There is no introduction video. */
  onboarding_steps: async ({ onboardingSteps }, { id }) => ({
    onboarding_steps: stepsAfter(await onboardingSteps.seenBy(id)),
    navigation_tour_video_url: null,
  }),
  presence: async (read, actor, { presenceHistoryDays: historyDays, slimPresence, serverTimestamp, pauses }) => {
    const presences = await visiblePresences(read, actor, { historyDays, pauses })
    return {
      ...(await toWirePresences(presences, { isModern: slimPresence, pauses })),
      server_timestamp: serverTimestamp,
    }
  },
  /** Nobody pays. */
  realm_billing: async () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  /** The caller's own bots; administrators get everybody's. */
  realm_bot: async ({ bots }, { id, role }) => ({
    realm_bots: await bots.of(hasRole(role, 'administrator') ? undefined : id),
  }),
  realm_domains: async ({ emailDomains }) => ({ realm_domains: await emailDomains.all() }),
  realm_emoji: async ({ customEmoji }) => ({ realm_emoji: wireCustomEmojis(await customEmoji.all()) }),
  /** Parley embeds no programs. */
  realm_embedded_bots: async () => ({ realm_embedded_bots: [] }),
  /** Gone since level 176. */
  realm_filters: async () => ({ realm_filters: [] as never[] }),
  /** Parley has no incoming webhooks. */
  realm_incoming_webhook_bots: async () => ({ realm_incoming_webhook_bots: [] }),
  /** Empty for clients that do not know templates. */
  realm_linkifiers: async ({ organization }, _actor, { capabilities }) => ({
    realm_linkifiers: capabilities.linkifier_url_template ? [...organization.linkifiers.list] : [],
  }),
  realm_playgrounds: async ({ playgrounds }) => ({ realm_playgrounds: await playgrounds.all() }),
  realm_user_settings_defaults: async ({ organizations }) => ({
    realm_user_settings_defaults: {
      ...userSettingsDefaults(await organizations.newAccountSettings()),
      ...USER_SETTING_CHOICES,
    },
  }),
  /** The newest first. */
  recent_private_conversations: async ({ directGroups }, { id: self }, { pauses }) => {
    const recent = await directGroups.recentOf(self, MAX_CONVERSATIONS)
    const members = await directGroups.members(
      recent.map(({ id }) => id),
      pauses,
    )
    return {
      recent_private_conversations: recent.map(({ id, maxMessageId }) => ({
        max_message_id: maxMessageId,
        user_ids: (members.get(id) ?? []).filter((userId) => userId !== self),
      })),
    }
  },
  reminders: async ({ reminders }, { id }) => ({
    reminders: (await reminders.of(id)).map((reminder) => toWireReminder(reminder, id)),
  }),
  saved_snippets: async ({ savedSnippets }, { id }) => ({ saved_snippets: await savedSnippets.of(id) }),
  scheduled_messages: async ({ scheduledMessages }, { id }) => ({
    scheduled_messages: (await scheduledMessages.of(id)).map(toWireScheduledMessage),
  }),
  /** The search matches every word. */
  stop_words: async () => ({ stop_words: [] }),
  tenor: async () => ({ tenor_api_key: '' }),
  user_settings: async ({ users }, { id }) => ({
    user_settings: { ...(await users.settingsOf(id)), ...USER_SETTING_CHOICES },
  }),
  /** Everybody whom the caller can see and who has a status, by user id. */
  user_status: async (read, actor, { site, pauses }) => {
    const statuses = [...(await read.userStatuses.all())]
    const isSeen = await visibilityFor(read, actor, pauses)
    // Bots have none.
    const seen = isSeen ? statuses.filter(([id]) => isSeen({ id, isBot: false })) : statuses
    return {
      user_status: Object.fromEntries(seen.map(([id, status]) => [id, toWireStatus(status, site.wireValues)])),
    }
  },
  /** Parley has no calls. */
  video_calls: async () => ({ has_zoom_token: false }),
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
