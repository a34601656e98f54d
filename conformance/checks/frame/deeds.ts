import type { Account } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { post } from '../../kernel/messaging.ts'
import { changeSetting } from '../../kernel/subscription-setting.ts'

/** What exists before anything is done. */
export interface Stage {
  readonly t: CheckContext
  readonly admin: Account
  /** Has created the channels and most of the messages, and leaves at the end. */
  readonly author: Account
  /** Subscribed to both channels. */
  readonly reader: Account
  /** Subscribed to the open channel. */
  readonly other: Account
  readonly open: Channel
  readonly second: Channel
  readonly topic: string
  /**
   * The author's: two in the channel, a direct one, one in another topic, one that is deleted; the last is the other's.
   */
  readonly messages: readonly [number, number, number, number, number, number]
}

/** A field that then has this value, as JSON, in every place. Undefined: any other value than before. */
export interface Change {
  readonly subject: string
  readonly field: string
  readonly value?: unknown
  /** Whether every server shows it somewhere. */
  readonly isSure?: boolean
  /** Whose view changes; default: everybody's. */
  readonly of?: 'reader' | 'other'
}

export interface FramedDeed {
  readonly name: string
  /** Whether it was done. */
  does(stage: Stage): Promise<boolean>
  /** What changes, and must. */
  changes(stage: Stage): readonly Change[]
  /** Beginnings of `subject field` that may change too. */
  may?(stage: Stage): readonly string[]
}

const succeeds = async (asked: Promise<{ status: number }>): Promise<boolean> => (await asked).status === 200
const names = new WeakMap<Stage, string>()

const ofAuthor = ({ messages }: Stage): readonly number[] => messages.slice(0, 5)

const rename: readonly FramedDeed[] = [
  {
    name: 'the author gets another name',
    async does(stage) {
      const full_name = stage.t.unique('Framed')
      names.set(stage, full_name)
      return succeeds(stage.admin.call('update-user', { user_id_or_email: stage.author.userId, full_name }))
    },
    changes(stage) {
      const value = names.get(stage)
      const { author, messages } = stage
      return [
        { subject: `user ${author.userId}`, field: 'full_name', value },
        ...ofAuthor(stage).map((id) => ({ subject: `message ${id}`, field: 'sender_full_name', value })),
        { subject: `message ${messages[2]} to user ${author.userId}`, field: 'full_name', value },
      ]
    },
  },
]

const profile: readonly FramedDeed[] = [
  {
    name: 'the author becomes a moderator',
    does: ({ admin, author }) => succeeds(admin.call('update-user', { user_id_or_email: author.userId, role: 300 })),
    changes: ({ author }) => [{ subject: `user ${author.userId}`, field: 'role', value: 300, isSure: true }],
  },
  {
    name: 'the author gets another time zone',
    does: ({ author }) => succeeds(author.call('update-settings', { timezone: 'Asia/Tokyo' })),
    changes: ({ author }) => [{ subject: `user ${author.userId}`, field: 'timezone', value: 'Asia/Tokyo' }],
  },
  {
    name: 'the author says something of themselves',
    does: ({ author }) => succeeds(author.call('update-own-status', { status_text: 'framed' })),
    changes: ({ author }) => [{ subject: `status of ${author.userId}`, field: 'status' }],
  },
]

const marks: readonly FramedDeed[] = [
  {
    name: 'the author edits the first message',
    does: ({ author, messages }) =>
      succeeds(author.call('update-message', { message_id: messages[0], content: '/me was **framed**.' })),
    changes: ({ messages }) => [
      { subject: `message ${messages[0]}`, field: 'content' },
      { subject: `message ${messages[0]}`, field: 'raw_content', value: '/me was **framed**.' },
      { subject: `message ${messages[0]}`, field: 'is_me_message', value: true },
      { subject: `message ${messages[0]}`, field: 'edit_history' },
      { subject: `message ${messages[0]}`, field: 'last_edit_timestamp' },
    ],
    may: ({ messages }) => [`message ${messages[0]} history`],
  },
  {
    name: 'another one reacts to the second message',
    does: ({ other, messages }) =>
      succeeds(other.call('add-reaction', { message_id: messages[1], emoji_name: 'octopus' })),
    changes: ({ messages }) => [{ subject: `message ${messages[1]}`, field: 'reactions' }],
  },
  {
    name: 'the reader stars the first message',
    does: ({ reader, messages }) =>
      succeeds(reader.call('update-message-flags', { messages: [messages[0]], op: 'add', flag: 'starred' })),
    changes: ({ messages }) => [
      { subject: `message ${messages[0]}`, field: 'starred', value: true, of: 'reader' },
      { subject: `message ${messages[0]}`, field: 'flags', of: 'reader' },
    ],
  },
]

const reading: readonly FramedDeed[] = [
  {
    name: 'the reader reads a topic',
    does: ({ reader, open, topic }) =>
      succeeds(reader.call('mark-topic-as-read', { stream_id: open.id, topic_name: topic })),
    changes: ({ messages }) =>
      messages.slice(0, 2).flatMap((id) => [
        { subject: `message ${id}`, field: 'unread', value: false, of: 'reader' as const },
        { subject: `message ${id}`, field: 'flags', of: 'reader' as const },
        { subject: `message ${id}`, field: 'user_ids' },
      ]),
    may: ({ messages }) => [`message ${messages[4]} unread`, `message ${messages[4]} flags`],
  },
]

const settings: readonly FramedDeed[] = [
  {
    name: 'the reader reads the direct message',
    does: ({ reader, messages }) =>
      succeeds(reader.call('update-message-flags', { messages: [messages[2]], op: 'add', flag: 'read' })),
    changes: ({ messages }) => [
      { subject: `message ${messages[2]}`, field: 'unread', value: false, of: 'reader' },
      { subject: `message ${messages[2]}`, field: 'flags', of: 'reader' },
      { subject: `message ${messages[2]}`, field: 'user_ids' },
    ],
  },
  ...(
    [
      ['color', '#0a0b0c'],
      ['pin_to_top', false],
      ['desktop_notifications', true],
      ['wildcard_mentions_notify', false],
    ] as const
  ).map(
    ([property, value]): FramedDeed => ({
      name: `the reader sets ${property} of the open channel`,
      does: ({ t, reader, open }) => succeeds(changeSetting(reader, t.level, { stream_id: open.id, property, value })),
      changes: ({ open }) => [{ subject: `channel ${open.id}`, field: property, value, of: 'reader', isSure: true }],
    }),
  ),
  {
    name: 'the reader mutes the second channel',
    does: ({ t, reader, second }) =>
      succeeds(changeSetting(reader, t.level, { stream_id: second.id, property: 'is_muted', value: true })),
    changes: ({ second }) => [
      { subject: `channel ${second.id}`, field: 'is_muted', value: true, of: 'reader' },
      { subject: `channel ${second.id}`, field: 'in_home_view', value: false, of: 'reader' },
    ],
  },
]

const own: readonly FramedDeed[] = [
  {
    name: 'the reader follows a topic',
    does: ({ reader, open, topic }) =>
      succeeds(reader.call('update-user-topic', { stream_id: open.id, topic, visibility_policy: 3 })),
    changes: ({ open, topic }) => [
      { subject: `policy for ${open.id} ${topic}`, field: 'visibility_policy', value: 3, of: 'reader', isSure: true },
    ],
    may: ({ open, topic }) => [`policy for ${open.id} ${topic} `],
  },
  {
    name: 'the reader mutes another one',
    does: ({ reader, other }) => succeeds(reader.call('mute-user', { muted_user_id: other.userId })),
    changes: () => [],
    // Some servers mark messages of a muted person as read.
    may: ({ other, messages }) => [
      `own muted ${other.userId}`,
      `message ${messages[5]} flags`,
      `message ${messages[5]} unread`,
      ...messages.map((id) => `message ${id} user_ids`),
    ],
  },
  {
    name: 'the reader sets something',
    does: ({ reader }) => succeeds(reader.call('update-settings', { high_contrast_mode: true })),
    changes: () => [{ subject: 'setting', field: 'high_contrast_mode', value: true, of: 'reader' }],
  },
  {
    name: 'the reader has an alert word',
    does: ({ reader }) => succeeds(reader.call('add-alert-words', { alert_words: ['framed'] })),
    changes: () => [{ subject: 'own', field: 'alert_words', value: ['framed', 'kept'], of: 'reader' }],
  },
]

const sending: readonly FramedDeed[] = [
  {
    name: 'the author deletes a message in the middle',
    does: ({ author, messages }) => succeeds(author.call('delete-message', { message_id: messages[4] })),
    changes: () => [],
    may: ({ messages, topic }) => [`message ${messages[4]} `, `topic ${topic} `],
  },
  {
    name: 'one more message is sent',
    async does({ other, open }) {
      await post(other, open, 'more', 'One more.')
      return true
    },
    changes: () => [],
    may: ({ open }) => ['topic more ', `policy for ${open.id} more `],
  },
]

const leaving: readonly FramedDeed[] = [
  {
    name: 'another one leaves the open channel',
    does: ({ other, open }) => succeeds(other.call('unsubscribe', { subscriptions: [open.name] })),
    changes: ({ author, reader, open }) => [
      { subject: `channel ${open.id}`, field: 'subscribers', value: [author.userId, reader.userId], of: 'reader' },
    ],
    may: ({ open, messages }) => [
      `channel ${open.id} `,
      // Messages of channels without a subscription are never unread.
      ...messages.flatMap((id) => ['flags', 'unread', 'user_ids'].map((field) => `message ${id} ${field}`)),
    ],
  },
]

const end: readonly FramedDeed[] = [
  {
    name: 'the author leaves for good',
    does: ({ admin, author }) => succeeds(admin.call('deactivate-user', { user_id_or_email: author.userId })),
    changes: ({ author }) => [{ subject: `user ${author.userId}`, field: 'is_active', value: false }],
    may: ({ author, open, second, messages }) => [
      ...[open, second].flatMap(({ id }) => ['subscriber', 'can_'].map((field) => `channel ${id} ${field}`)),
      `status of ${author.userId} `,
      // Servers tell less about a user of whom only the name is left.
      ...['delivery_email', 'email', 'avatar', 'custom_profile', 'profile_data', 'is_imported_stub'].map(
        (field) => `user ${author.userId} ${field}`,
      ),
      ...messages.map((id) => `message ${id} user_ids`),
    ],
  },
]

const beginning: readonly FramedDeed[] = [
  {
    name: 'the author comes back',
    does: ({ admin, author }) => succeeds(admin.call('reactivate-user', { user_id: author.userId })),
    changes: ({ author }) => [{ subject: `user ${author.userId}`, field: 'is_active', value: true }],
    may: ({ author, open, second, messages }) => [
      ...[open, second].flatMap(({ id }) => ['subscriber', 'can_'].map((field) => `channel ${id} ${field}`)),
      `status of ${author.userId} `,
      ...['delivery_email', 'email', 'avatar', 'custom_profile', 'profile_data'].map(
        (field) => `user ${author.userId} ${field}`,
      ),
      ...messages.map((id) => `message ${id} user_ids`),
    ],
  },
]

const describing: readonly FramedDeed[] = [
  {
    name: 'the second channel gets another description',
    does: ({ admin, second }) =>
      succeeds(admin.call('update-stream', { stream_id: second.id, description: 'Another one.' })),
    changes: ({ second }) => [{ subject: `channel ${second.id}`, field: 'description', value: 'Another one.' }],
    may: ({ second }) => [`channel ${second.id} rendered_description`],
  },
]

const archiving: readonly FramedDeed[] = [
  {
    name: 'the second channel is archived',
    does: ({ admin, second }) => succeeds(admin.call('archive-stream', { stream_id: second.id })),
    changes: () => [],
    may: ({ second }) => [`channel ${second.id} `],
  },
]

/** In the order in which they are done; everything is compared after each round. */
export const framedRounds: readonly (readonly FramedDeed[])[] = [
  ...[rename, profile, marks, reading, settings, own, sending, leaving, end, beginning, describing, archiving],
]
