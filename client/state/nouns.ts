// The knowledge of a careful client, one part for each noun.
import { keyedList, ownList } from './keyed-lists.ts'
import { ascending } from './order.ts'
import { ignoring } from './state.ts'
import { wholeList } from './whole-lists.ts'

export { part as channels } from './channels.ts'
export { part as customProfileFields } from './custom-profile-fields.ts'
export { part as defaultChannels } from './default-channels.ts'
export { part as devices } from './devices.ts'
export { part as flags } from './flags.ts'
export { part as messageChanges } from './message-changes.ts'
export { part as messages } from './messages.ts'
export { part as organization } from './organization.ts'
export { part as presence } from './presence.ts'
export { part as reactions } from './reactions.ts'
export { part as server } from './server.ts'
export { newAccountSettings, settings } from './settings.ts'
export { part as statuses } from './statuses.ts'
export { part as userGroups } from './user-groups.ts'
export { part as userTopics } from './user-topics.ts'
export { part as users } from './users.ts'

export const alertWords = wholeList<{ alert_words: string[] }>('alert_words', {
  view: ({ alert_words: words }) => ({ alert_words: words.toSorted() }),
})
/** POST /register returns no files. */
export const attachments = ignoring('attachment add', 'attachment update', 'attachment remove')
/** The bots that the user manages. */
export const bots = keyedList('realm_bots', 'bot', {
  key: 'user_id',
  event: 'realm_bot',
  remove: 'delete',
  isPartial: true,
})
/** A list of folders, and events about the order of all. */
const folders = keyedList('channel_folders', 'channel_folder', { event: 'channel_folder' })
export const channelFolders: typeof folders = {
  ...folders,
  apply: {
    ...folders.apply,
    'channel_folder reorder': (state, { order }: { order: readonly unknown[] }) => {
      state.channel_folders = (state.channel_folders ?? []).map((one) => ({ ...one, order: order.indexOf(one.id) }))
    },
  },
}
export const customEmoji = wholeList('realm_emoji', { event: 'realm_emoji update', empty: { realm_emoji: {} } })
/** Events for administrators, whose clients fetch the list of exports when somebody opens it. */
export const dataExports = ignoring('realm_export', 'realm_export_consent')
export const drafts = ownList('drafts', 'draft')
/** Domains whose addresses may join. */
export const emailDomains = keyedList('realm_domains', 'realm_domain', {
  key: 'domain',
  gone: 'domain',
  update: 'change',
})
/** POST /register returns no invitations: a client that shows them fetches GET /invites again. */
export const invitations = ignoring('invites_changed')
export const linkifiers = wholeList('realm_linkifiers')
export const mutedUsers = wholeList<{ muted_users: { readonly id: number }[] }>('muted_users', {
  view: ({ muted_users: muted }, { users }) => ({
    muted_users: muted.flatMap(({ id }) => (users.has(id) ? [id] : [])).toSorted(ascending),
  }),
})
export const navigationViews = keyedList('navigation_views', 'navigation_view', {
  key: 'fragment',
  event: 'navigation_view',
  gone: 'fragment',
})
export const onboardingSteps = wholeList('onboarding_steps')
export const playgrounds = wholeList('realm_playgrounds')
export const reminders = ownList('reminders', 'reminder', 'reminder_id')
export const savedSnippets = ownList('saved_snippets', 'saved_snippet')
export const scheduledMessages = ownList('scheduled_messages', 'scheduled_message', 'scheduled_message_id')
