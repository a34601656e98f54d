import type { Account } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { post } from '../../kernel/messaging.ts'
import { changeSetting } from '../../kernel/subscription-setting.ts'

/** The state before the first deed. */
export interface Stage {
  readonly t: CheckContext
  readonly admin: Account
  /** Creator of the channels and of most messages; leaves at the end. */
  readonly author: Account
  /** Subscribed to both channels. */
  readonly reader: Account
  /** Subscribed to the open channel. */
  readonly other: Account
  readonly open: Channel
  readonly second: Channel
  readonly topic: string
  /** The author's: two in the channel, one direct, one in another topic, one to be deleted; then the other's. */
  readonly messages: readonly [number, number, number, number, number, number]
}

/** The expected value of a field, as JSON, in every place; undefined: any value except the former one. */
export interface Change {
  readonly subject: string
  readonly field: string
  readonly value?: unknown
  /** Whether every server shows the field somewhere. */
  readonly isSure?: boolean
  /** Whose view changes; everybody's by default. */
  readonly of?: 'reader' | 'other'
}

export interface FramedDeed {
  readonly name: string
  /** @returns whether it was done */
  does(stage: Stage): Promise<boolean>
  /** Changes that must happen. */
  changes(stage: Stage): readonly Change[]
  /** Prefixes of `subject field` that may change, too. */
  may?(stage: Stage): readonly string[]
}

const succeeds = async (asked: Promise<{ status: number }>): Promise<boolean> => (await asked).status === 200
const names = new WeakMap<Stage, string>()

const ofAuthor = ({ messages }: Stage): readonly number[] => messages.slice(0, 5)

/** Changes of several fields of one subject; `more` applies to all of them. */
function changed(subject: string, fields: readonly string[], more: Omit<Change, 'subject' | 'field'> = {}): Change[] {
  return fields.map((field) => ({ subject, field, ...more }))
}

/** Other fields that may change when the author leaves or returns. */
const mayGoWithAuthor = ({ author, open, second, messages }: Stage): string[] => [
  ...[open, second].flatMap(({ id }) => ['subscriber', 'can_'].map((field) => `channel ${id} ${field}`)),
  `status of ${author.userId} `,
  ...['delivery_email', 'email', 'avatar', 'custom_profile', 'profile_data'].map(
    (field) => `user ${author.userId} ${field}`,
  ),
  ...messages.map((id) => `message ${id} user_ids`),
]

const rename: readonly FramedDeed[] = [
  {
    name: 'the author gets another name',
    async does(stage) {
      const full_name = stage.t.unique("Framed & Ann's")
      names.set(stage, full_name)
      return succeeds(stage.admin.call('update-user', { user_id_or_email: stage.author.userId, full_name }))
    },
    changes(stage) {
      const { author, messages } = stage
      const toName = { value: names.get(stage) }
      return [
        ...changed(`user ${author.userId}`, ['full_name'], toName),
        ...ofAuthor(stage).flatMap((id) => changed(`message ${id}`, ['sender_full_name'], toName)),
        ...changed(`message ${messages[2]} to user ${author.userId}`, ['full_name'], toName),
      ]
    },
  },
]

const profile: readonly FramedDeed[] = [
  {
    name: 'the author becomes a moderator',
    does: ({ admin, author }) => succeeds(admin.call('update-user', { user_id_or_email: author.userId, role: 300 })),
    changes: ({ author }) => changed(`user ${author.userId}`, ['role'], { value: 300, isSure: true }),
  },
  {
    name: 'the author gets another time zone',
    does: ({ author }) => succeeds(author.call('update-settings', { timezone: 'Asia/Tokyo' })),
    changes: ({ author }) => changed(`user ${author.userId}`, ['timezone'], { value: 'Asia/Tokyo' }),
  },
  {
    name: 'the author says something of themselves',
    does: ({ author }) => succeeds(author.call('update-own-status', { status_text: 'framed' })),
    changes: ({ author }) => changed(`status of ${author.userId}`, ['status']),
  },
]

const marks: readonly FramedDeed[] = [
  {
    name: 'the author edits the first message',
    does: ({ author, messages: [message_id] }) =>
      succeeds(author.call('update-message', { message_id, content: '/me was **framed**.' })),
    changes: ({ messages: [id] }) => [
      ...changed(`message ${id}`, ['content', 'edit_history', 'last_edit_timestamp']),
      ...changed(`message ${id}`, ['raw_content'], { value: '/me was **framed**.' }),
      ...changed(`message ${id}`, ['is_me_message'], { value: true }),
    ],
    may: ({ messages: [id] }) => [`message ${id} history`],
  },
  {
    name: 'another one reacts to the second message',
    does: ({ other, messages: [, message_id] }) =>
      succeeds(other.call('add-reaction', { message_id, emoji_name: 'octopus' })),
    changes: ({ messages: [, id] }) => changed(`message ${id}`, ['reactions']),
  },
  {
    name: 'the reader stars the first message',
    does: ({ reader, messages: [id] }) =>
      succeeds(reader.call('update-message-flags', { messages: [id], op: 'add', flag: 'starred' })),
    changes: ({ messages: [id] }) => [
      ...changed(`message ${id}`, ['starred'], { value: true, of: 'reader' }),
      ...changed(`message ${id}`, ['flags'], { of: 'reader' }),
    ],
  },
]

/** Changes that show that the reader has read a message. */
const becomesRead = (id: number): Change[] => [
  ...changed(`message ${id}`, ['unread'], { value: false, of: 'reader' }),
  ...changed(`message ${id}`, ['flags'], { of: 'reader' }),
  ...changed(`message ${id}`, ['user_ids']),
]

const reading: readonly FramedDeed[] = [
  {
    name: 'the reader reads a topic',
    does: ({ reader, open, topic }) =>
      succeeds(reader.call('mark-topic-as-read', { stream_id: open.id, topic_name: topic })),
    changes: ({ messages }) => messages.slice(0, 2).flatMap(becomesRead),
    may: ({ messages }) => [`message ${messages[4]} unread`, `message ${messages[4]} flags`],
  },
]

const settings: readonly FramedDeed[] = [
  {
    name: 'the reader reads the direct message',
    does: ({ reader, messages: [, , id] }) =>
      succeeds(reader.call('update-message-flags', { messages: [id], op: 'add', flag: 'read' })),
    changes: ({ messages: [, , id] }) => becomesRead(id),
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
      changes: ({ open }) => changed(`channel ${open.id}`, [property], { value, of: 'reader', isSure: true }),
    }),
  ),
  {
    name: 'the reader mutes the second channel',
    does: ({ t, reader, second }) =>
      succeeds(changeSetting(reader, t.level, { stream_id: second.id, property: 'is_muted', value: true })),
    changes: ({ second }) => [
      ...changed(`channel ${second.id}`, ['is_muted'], { value: true, of: 'reader' }),
      ...changed(`channel ${second.id}`, ['in_home_view'], { value: false, of: 'reader' }),
    ],
  },
]

const own: readonly FramedDeed[] = [
  {
    name: 'the reader follows a topic',
    does: ({ reader, open, topic }) =>
      succeeds(reader.call('update-user-topic', { stream_id: open.id, topic, visibility_policy: 3 })),
    changes: ({ open, topic }) =>
      changed(`policy for ${open.id} ${topic}`, ['visibility_policy'], { value: 3, of: 'reader', isSure: true }),
    may: ({ open, topic }) => [`policy for ${open.id} ${topic} `],
  },
  {
    name: 'the reader mutes another one',
    does: ({ reader, other }) => succeeds(reader.call('mute-user', { muted_user_id: other.userId })),
    changes: () => [],
    // Some servers mark messages of muted people as read.
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
    changes: () => changed('setting', ['high_contrast_mode'], { value: true, of: 'reader' }),
  },
  {
    name: 'the reader has an alert word',
    does: ({ reader }) => succeeds(reader.call('add-alert-words', { alert_words: ['framed'] })),
    changes: () => changed('own', ['alert_words'], { value: ['framed', 'kept'], of: 'reader' }),
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
    changes: ({ author, reader, open }) =>
      changed(`channel ${open.id}`, ['subscribers'], { value: [author.userId, reader.userId], of: 'reader' }),
    may: ({ open, messages }) => [
      `channel ${open.id} `,
      // Messages in channels without a subscription are never unread.
      ...messages.flatMap((id) => ['flags', 'unread', 'user_ids'].map((field) => `message ${id} ${field}`)),
    ],
  },
]

const end: readonly FramedDeed[] = [
  {
    name: 'the author leaves for good',
    does: ({ admin, author }) => succeeds(admin.call('deactivate-user', { user_id_or_email: author.userId })),
    changes: ({ author }) => changed(`user ${author.userId}`, ['is_active'], { value: false }),
    // Servers may tell less about users of whom only the name is left.
    may: (stage) => [...mayGoWithAuthor(stage), `user ${stage.author.userId} is_imported_stub`],
  },
]

const beginning: readonly FramedDeed[] = [
  {
    name: 'the author comes back',
    does: ({ admin, author }) => succeeds(admin.call('reactivate-user', { user_id: author.userId })),
    changes: ({ author }) => changed(`user ${author.userId}`, ['is_active'], { value: true }),
    may: mayGoWithAuthor,
  },
]

const describing: readonly FramedDeed[] = [
  {
    name: 'the second channel gets another description',
    does: ({ admin, second }) =>
      succeeds(admin.call('update-stream', { stream_id: second.id, description: 'Another one.' })),
    changes: ({ second }) => changed(`channel ${second.id}`, ['description'], { value: 'Another one.' }),
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

/** In execution order. Snapshots are compared after each round. */
export const framedRounds: readonly (readonly FramedDeed[])[] = [
  ...[rename, profile, marks, reading, settings, own, sending, leaving, end, beginning, describing, archiving],
]
