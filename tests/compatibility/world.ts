import type { ServerProcess } from '../../server/process-testing.ts'
import type { Call, Known, World } from './client.ts'
import { NOTHING_LEARNED, ofKnown } from './client.ts'

/** Calls before the client starts, so that its initial state is not empty. */
const HISTORY: readonly Call[] = [
  { as: 'member2', method: 'POST', path: '/users/me/presence', parameters: { status: 'active', new_user_input: true } },
  {
    as: 'member2',
    method: 'POST',
    path: '/users/me/status',
    parameters: { status_text: 'at work', emoji_name: 'car' },
  },
  reactionOn('member2', ({ channelMessageId }) => channelMessageId, 'octopus'),
  reactionOn('member', ({ channelMessageId }) => channelMessageId, 'zulip'),
  flagged('starred', ({ channelMessageId }) => channelMessageId),
  {
    method: 'POST',
    path: '/user_topics',
    parameters: ({ channelId }) => ({ stream_id: channelId, topic: 'noise', visibility_policy: 1 }),
  },
  {
    method: 'POST',
    path: '/user_topics',
    parameters: ({ channelId }) => ({ stream_id: channelId, topic: 'plans', visibility_policy: 3 }),
  },
  { method: 'POST', path: '/users/me/alert_words', parameters: { alert_words: ['lunch', 'release'] } },
  { method: 'POST', path: ({ userIds }) => `/users/me/muted_users/${userIds.guest}` },
  { method: 'DELETE', path: '/users/me/subscriptions', parameters: { subscriptions: ['engineering'] } },
]

function reactionOn(as: string, message: (known: Known) => number, emojiName: string): Call {
  return {
    as,
    method: 'POST',
    path: (known) => `/messages/${message(known)}/reactions`,
    parameters: { emoji_name: emojiName },
  }
}

function flagged(flag: string, message: (known: Known) => number): Call {
  return {
    method: 'POST',
    path: '/messages/flags',
    parameters: (known) => ({ messages: [message(known)], op: 'add', flag }),
  }
}

/** Creates channels, messages of every kind and everything in `HISTORY`. */
export async function makeWorld(server: ServerProcess): Promise<World> {
  const { users, password } = server.credentials
  const of = <T>(value: (login: { email: string; user_id: number }) => T) =>
    Object.fromEntries(Object.entries(users).map(([key, login]) => [key, value(login)]))
  const userIds = of((login) => login.user_id)
  const [channel, otherChannel] = ['design', 'elsewhere']
  const subscribe = (as: string, name: string, principals: readonly string[]) =>
    server.as(as).must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description: 'How it **looks**' }],
      principals: principals.map((key) => userIds[key]),
    })
  await subscribe('member2', channel, ['member', 'member2', 'bot', 'guest'])
  await subscribe('member2', otherChannel, ['member2'])
  await server.as('owner').must('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'closed' }],
    principals: [userIds.member, userIds.owner],
    invite_only: true,
  })
  const moderation = { name: 'moderation', subscribers: [userIds.owner], invite_only: true }
  const { id: moderation_request_channel_id } = await server.as('owner').must('POST', '/channels/create', moderation)
  await server.as('owner').must('PATCH', '/realm', { moderation_request_channel_id })
  const { streams } = await server.as('member2').must('GET', '/streams')
  const idOf = (name: string) => streams.find((one: { name: string }) => one.name === name).stream_id
  const send = async (parameters: object): Promise<number> =>
    (await server.as('member2').must('POST', '/messages', { content: 'Lunch at *noon*?', ...parameters })).id
  const toChannel = { type: 'channel', to: idOf(channel) }
  const channelMessageId = await send({ ...toChannel, topic: 'plans' })
  await send({ ...toChannel, topic: '', content: '@**Max Member** look: :octopus:\n```python\nprint(1)\n```' })
  await send({ ...toChannel, topic: 'noise', content: '/me waits' })
  await send({ type: 'direct', to: [userIds.member, userIds.owner] })
  await server.as('bot').must('POST', '/messages', { type: 'direct', to: [userIds.member], content: 'beep' })
  const directMessageId = await send({ type: 'direct', to: [userIds.member] })
  const world: World = {
    userIds,
    emails: of((login) => login.email),
    password,
    channelId: idOf(channel),
    otherChannelId: idOf(otherChannel),
    otherChannel,
    channelMessageId,
    directMessageId,
  }
  for (const call of HISTORY) await happen(server, call, { ...world, ...NOTHING_LEARNED })
  return world
}

/** Performs a call. */
export async function happen(server: ServerProcess, call: Call, known: Known): Promise<void> {
  const path = ofKnown(call.path, known)
  await server.as(call.as ?? 'member').must(call.method, path, ofKnown(call.parameters ?? {}, known))
}
