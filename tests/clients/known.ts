import type { ServerProcess } from '../../server/process-testing.ts'

/** People and things that the calls of a library need. */
export interface Known {
  /** IDs of the demo organization's accounts. */
  readonly userIds: Readonly<Record<string, number>>
  /** API addresses. */
  readonly emails: Readonly<Record<string, string>>
  /** The channel `design`, which the member has joined, and one that they have not. */
  readonly channelId: number
  readonly otherChannelId: number
  /** A message by somebody else in `design`. */
  readonly channelMessageId: number
  /** A message that the library has sent. */
  readonly ownMessageId: number
  /** IDs of what the library's calls have created, by the names of the calls. */
  readonly made: Readonly<Record<string, number>>
}

/** Makes the channels and the message. */
export async function madeKnown(server: ServerProcess): Promise<Known> {
  const of = <T>(value: (login: { email: string; user_id: number }) => T) =>
    Object.fromEntries(Object.entries(server.credentials.users).map(([key, login]) => [key, value(login)]))
  const userIds = of((login) => login.user_id)
  const other = server.as('member2')
  const make = async (name: string, keys: readonly string[]): Promise<number> =>
    (await other.must('POST', '/channels/create', { name, subscribers: keys.map((key) => userIds[key]) })).id
  const channelId = await make('design', ['member', 'member2', 'bot', 'guest'])
  const message = { type: 'channel', to: channelId, topic: 'plans', content: 'Lunch at *noon*?' }
  return {
    userIds,
    emails: of((login) => login.email),
    channelId,
    otherChannelId: await make('elsewhere', ['member2']),
    channelMessageId: (await other.must('POST', '/messages', message)).id,
    ownMessageId: 0,
    made: {},
  }
}
