/** Something that requests write, answers show and events tell. Each is one register, wherever it shows. */
export interface Thing {
  /** Unique; as reports call it. */
  readonly name: string
  /** The user or message that it came with, such as `user 7`. */
  readonly subject: string
  /** What it is as long as nobody has written about a new subject; undefined where nobody knows. */
  readonly initial?: unknown
  /** Type of the events that surely tell of it; undefined where none does. */
  readonly toldBy?: string
  /** The only one who is told of it. */
  readonly owner?: number
  /** Only who has this message is told of it. */
  readonly message?: number
}

/** Things of one kind, each of which is in it or not. */
export interface List extends Omit<Thing, 'message'> {
  readonly kind: keyof typeof lists
  readonly message?: number
  /** Its members are ids of messages. */
  readonly isOfMessages?: true
}

const ofMessage = (what: string, messageId: number, toldBy?: string): Thing => ({
  name: `${what} of message ${messageId}`,
  subject: `message ${messageId}`,
  message: messageId,
  ...(toldBy !== undefined && { toldBy }),
})

const ofUser = (what: string, userId: number, toldBy: string, initial?: unknown): Thing => ({
  ...{ name: `${what} of user ${userId}`, subject: `user ${userId}`, toldBy },
  ...(initial !== undefined && { initial }),
})

export const things = {
  content: (messageId: number) => ofMessage('content', messageId, 'update_message'),
  topic: (messageId: number) => ofMessage('topic', messageId),
  existence: (messageId: number) => ofMessage('existence', messageId, 'delete_message'),
  sender: (messageId: number) => ofMessage('sender', messageId),
  fullName: (userId: number) => ofUser('full name', userId, 'realm_user'),
  role: (userId: number) => ofUser('role', userId, 'realm_user'),
  isActive: (userId: number) => ofUser('activity', userId, 'realm_user'),
  statusText: (userId: number) => ofUser('status text', userId, 'user_status', ''),
  statusEmoji: (userId: number) => ofUser('status emoji', userId, 'user_status', ''),
  setting: (userId: number, name: string): Thing => ({
    ...ofUser(`setting ${name}`, userId, 'user_settings'),
    owner: userId,
  }),
  ownField: (userId: number, channelId: number, field: string): Thing => ({
    ...ofUser(field, userId, 'subscription'),
    name: `${field} of user ${userId} for channel ${channelId}`,
    owner: userId,
  }),
} as const

export const lists = {
  /** Of `USER ID NAME OF EMOJI`. */
  reactions: (messageId: number): List => ({
    ...{ kind: 'reactions', name: `reactions to message ${messageId}`, subject: `message ${messageId}` },
    ...{ initial: false, toldBy: 'reaction', message: messageId },
  }),
  stars: (userId: number): List => ({
    ...ownList('stars', 'starred messages', userId, 'update_message_flags'),
    ...{ initial: false, isOfMessages: true },
  }),
  alertWords: (userId: number): List => ({
    ...ownList('alertWords', 'alert words', userId, 'alert_words'),
    initial: false,
  }),
  mutedUsers: (userId: number): List => ({
    ...ownList('mutedUsers', 'muted users', userId, 'muted_users'),
    initial: false,
  }),
  /** Of names in small letters. */
  subscriptions: (userId: number): List => ownList('subscriptions', 'subscriptions', userId, 'subscription'),
} as const

function ownList(kind: List['kind'], what: string, userId: number, toldBy: string): List {
  return { ...ofUser(what, userId, toldBy), kind, owner: userId }
}

export function memberOf({ kind: _, isOfMessages, ...list }: List, member: string | number): Thing {
  return { ...list, name: `${list.name}: ${member}`, ...(isOfMessages && { message: Number(member) }) }
}
