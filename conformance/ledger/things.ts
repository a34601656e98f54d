/** Something that requests write, answers show and events tell. It is one register, wherever it appears. */
export interface Thing {
  /** Unique; also used in reports. */
  readonly name: string
  /** The user or message it belongs to, such as `user 7`. */
  readonly subject: string
  /** Its value for a new subject to which nobody has written; undefined if unknown. */
  readonly initial?: unknown
  /** Type of the events that must tell it; undefined if none do. */
  readonly toldBy?: string
  /** Only this user gets events about it. */
  readonly owner?: number
  /** Only users who have this message get events about it. */
  readonly message?: number
}

/** Things of one kind, each of which is in the list or not. */
export interface List extends Omit<Thing, 'message'> {
  readonly kind: keyof typeof lists
  readonly message?: number
  /** Its members are message ids. */
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
  isActive: (userId: number) => ofUser('activity', userId, 'realm_user', true),
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
  /** Members are `USER ID NAME OF EMOJI`. */
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
  /** Members are lower-case names. */
  subscriptions: (userId: number): List => ownList('subscriptions', 'subscriptions', userId, 'subscription'),
} as const

function ownList(kind: List['kind'], what: string, userId: number, toldBy: string): List {
  return { ...ofUser(what, userId, toldBy), kind, owner: userId }
}

export function memberOf({ kind: _, isOfMessages, ...list }: List, member: string | number): Thing {
  return { ...list, name: `${list.name}: ${member}`, ...(isOfMessages && { message: Number(member) }) }
}
