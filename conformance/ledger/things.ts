/** Something that requests write and answers show. It is one register, wherever it appears. */
export interface Thing {
  /** Unique; also used in reports. */
  readonly name: string
  /** The user or message it belongs to, such as `user 7`. */
  readonly subject: string
  /** Its value for a new subject to which nobody has written; undefined if unknown. */
  readonly initial?: unknown
}

/** Things of one kind, each of which is in the list or not. */
export interface List extends Thing {
  readonly kind: keyof typeof lists
}

const ofMessage = (what: string, messageId: number): Thing => ({
  name: `${what} of message ${messageId}`,
  subject: `message ${messageId}`,
})

const ofUser = (what: string, userId: number, initial?: unknown): Thing => ({
  name: `${what} of user ${userId}`,
  subject: `user ${userId}`,
  ...(initial !== undefined && { initial }),
})

export const things = {
  content: (messageId: number) => ofMessage('content', messageId),
  topic: (messageId: number) => ofMessage('topic', messageId),
  existence: (messageId: number) => ofMessage('existence', messageId),
  sender: (messageId: number) => ofMessage('sender', messageId),
  fullName: (userId: number) => ofUser('full name', userId),
  role: (userId: number) => ofUser('role', userId),
  isActive: (userId: number) => ofUser('activity', userId),
  statusText: (userId: number) => ofUser('status text', userId, ''),
  statusEmoji: (userId: number) => ofUser('status emoji', userId, ''),
  setting: (userId: number, name: string) => ofUser(`setting ${name}`, userId),
  ownField: (userId: number, channelId: number, field: string): Thing => ({
    name: `${field} of user ${userId} for channel ${channelId}`,
    subject: `user ${userId}`,
  }),
} as const

export const lists = {
  /** Members are `USER ID NAME OF EMOJI`. */
  reactions: (messageId: number): List => ({
    kind: 'reactions',
    name: `reactions to message ${messageId}`,
    subject: `message ${messageId}`,
    initial: false,
  }),
  stars: (userId: number): List => ({ kind: 'stars', ...ofUser('starred messages', userId, false) }),
  alertWords: (userId: number): List => ({ kind: 'alertWords', ...ofUser('alert words', userId, false) }),
  mutedUsers: (userId: number): List => ({ kind: 'mutedUsers', ...ofUser('muted users', userId, false) }),
  /** Members are lower-case names. */
  subscriptions: (userId: number): List => ({ kind: 'subscriptions', ...ofUser('subscriptions', userId) }),
} as const

export function memberOf({ kind: _, ...list }: List, member: string | number): Thing {
  return { ...list, name: `${list.name}: ${member}` }
}
