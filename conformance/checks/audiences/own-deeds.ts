import { rightRequests } from '../../acts/all.ts'
import { uploadedPath } from '../../acts/attachments.ts'
import type { Values } from '../../deployment/account.ts'
import { changeSetting } from '../../kernel/subscription-setting.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { type Deed, has } from './deed.ts'

/** Operations on things that nobody else sees; their events, and the level that these need. */
const ownThings = [
  ['create-drafts', 'drafts', 'add', 0],
  ['update-draft', 'drafts', 'update', 0],
  ['delete-draft', 'drafts', 'remove', 0],
  ['create-scheduled-message', 'scheduled_messages', 'add', 0],
  ['update-scheduled-message', 'scheduled_messages', 'update', 0],
  ['delete-scheduled-message', 'scheduled_messages', 'remove', 0],
  ['mark-onboarding-step-seen', 'onboarding_steps', undefined, 233],
  ['create-saved-snippet', 'saved_snippets', 'add', 297],
  ['update-saved-snippet', 'saved_snippets', 'update', 368],
  ['delete-saved-snippet', 'saved_snippets', 'remove', 297],
  ['update-navigation-view', 'navigation_view', 'update', 390],
  ['remove-navigation-view', 'navigation_view', 'remove', 390],
  ['create-reminder', 'reminders', 'add', 399],
  ['delete-reminder', 'reminders', 'remove', 399],
  ['register-client-device', 'device', 'add', 468],
  ['remove-client-device', 'device', 'remove', 468],
] as const

/** Changes that only the person who makes them learns of. */
export const ownDeeds: readonly Deed[] = [
  ...ownThings.map(([operation, type, op, from]) => ({
    ...mine(`what ${operation} changes`, async (cast) => {
      const { t, actor: user, follower: other, open: channel, topic, messageId } = cast
      const scene = { user, other, people: [user, other], channel, topic, messageId }
      const values = (await rightRequests[operation]?.(scene, t)) ?? {}
      await user.must(operation, values as Values)
      return has({ type, op })
    }),
    from,
  })),
  ...['add', 'remove'].map((op) =>
    mine(`a star, ${op === 'add' ? 'given' : 'taken away'}`, async ({ actor, messageId }) => {
      await actor.must('update-message-flags', { messages: [messageId], op, flag: 'starred' })
      return ({ type, op: is, flag, messages: ids }) =>
        type === 'update_message_flags' && is === op && flag === 'starred' && listOf(ids).includes(messageId)
    }),
  ),
  ...(
    [
      ['update-settings', 'enter_sends', true],
      ['update-display-settings', 'high_contrast_mode', true],
      ['update-notification-settings', 'enable_sounds', false],
    ] as const
  ).map(([operation, property, value]) =>
    mine(`a setting that ${operation} sets`, async ({ actor }) => {
      // An organization chooses with which values accounts start.
      for (const one of [!value, value]) await actor.must(operation, { [property]: one })
      return has({ type: 'user_settings', op: 'update', property, value })
    }),
  ),
  ...['add-alert-words', 'remove-alert-words'].map((operation) =>
    mine(`an alert word, by ${operation}`, async ({ actor, open }) => {
      await actor.must(operation, { alert_words: [open.name] })
      const isIn = operation === 'add-alert-words'
      return ({ type, alert_words: words }) =>
        type === 'alert_words' && listOf(words).includes(open.name.toLowerCase()) === isIn
    }),
  ),
  ...['mute-user', 'unmute-user'].map((operation) =>
    mine(`the muted users, by ${operation}`, async ({ actor, stranger }) => {
      await actor.must(operation, { muted_user_id: stranger.userId })
      const isIn = operation === 'mute-user'
      return ({ type, muted_users: people }) =>
        type === 'muted_users' && listOf(people).some(({ id }: Json) => id === stranger.userId) === isIn
    }),
  ),
  mine('a visibility policy of a topic', async ({ actor, open }) => {
    const [topic, visibility_policy] = ['of my own', 3]
    await actor.must('update-user-topic', { stream_id: open.id, topic, visibility_policy })
    return has({ type: 'user_topic', stream_id: open.id, topic_name: topic, visibility_policy })
  }),
  mine('a colour of a channel', async ({ t, actor, open }) => {
    const change = { stream_id: open.id, property: 'color', value: '#0f0f0f' }
    await changeSetting(actor, t.level, change)
    return has({ type: 'subscription', op: 'update', ...change })
  }),
  ...['is_muted', 'in_home_view'].map((property) =>
    mine(`a muted channel, under the name ${property}`, async ({ t, actor, open, closed }) => {
      const isOfClosed = property === 'in_home_view'
      const stream_id = isOfClosed ? closed.id : open.id
      await changeSetting(actor, t.level, { stream_id, property: 'is_muted', value: true })
      return has({ type: 'subscription', op: 'update', stream_id, property, value: property === 'is_muted' })
    }),
  ),
  mine('a channel setting, by update-subscription-settings', async ({ actor, open }) => {
    const change = { stream_id: open.id, property: 'pin_to_top', value: true }
    await actor.must('update-subscription-settings', { subscription_data: [change] })
    return has({ type: 'subscription', op: 'update', ...change })
  }),
  mine('a file', async ({ actor }) => {
    const path = await uploadedPath(actor, 'Mine.')
    return ({ type, op, attachment }) => type === 'attachment' && op === 'add' && path.endsWith(attachment.path_id)
  }),
]

function mine(name: string, does: Deed['does']): Deed {
  // The bot is a given account, which other checks may change at the same time.
  return { name, does, hears: ['actor'], maybe: ['bot'] }
}
