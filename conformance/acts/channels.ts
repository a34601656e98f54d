import fc from 'fast-check'
import { type Ground, kind, ourKind, some } from '../laws/action-kind.ts'
import { foldersIn } from './channel-folders.ts'
import { ofAdministrator, type Requests } from './right-request.ts'

export const requests: Requests = {
  'create-channel': ({ user }, t) => ({ name: t.unique('conformance'), subscribers: [user.userId] }),
  'get-stream': ({ channel }) => ({ stream_id: channel.id }),
  'get-stream-id': ({ channel }) => ({ stream: channel.name }),
  'get-stream-topics': ({ channel }) => ({ stream_id: channel.id }),
  'get-subscribers': ({ channel }) => ({ stream_id: channel.id }),
  'get-stream-email-address': ({ channel }) => ({ stream_id: channel.id }),
  'update-stream': async ({ user }, t) => {
    const channel = await t.channel(user)
    return ofAdministrator(t, { stream_id: channel.id, description: t.unique('Changed') })
  },
  'archive-stream': async ({ user }, t) => ofAdministrator(t, { stream_id: (await t.channel(user)).id }),
  'delete-topic': async ({ user, channel }, t) => {
    const topic = t.unique('deleted')
    await user.must('send-message', { type: 'stream', to: channel.id, topic, content: 'Delete me.' })
    return { stream_id: channel.id, topic_name: topic }
  },
}

/** Changes of a channel, by the names of the API. */
type Change = Readonly<Record<string, unknown>>
const group = (setting: string, id: fc.Arbitrary<number>): fc.Arbitrary<Change> =>
  id.map((one) => ({ [setting]: { new: one } }))
const [everyone, members, moderators, nobody] = [7, 6, 4, 1]
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ description: fc.constantFrom('', 'Shapes and **colours**') }),
  fc.record({ topics_policy: fc.constantFrom('inherit', 'allow_empty_topic', 'empty_topic_only') }),
  fc.record({ message_retention_days: fc.constantFrom('unlimited', 'realm_default', 30) }),
  fc.record({ is_default_stream: fc.boolean() }),
  fc.record({ is_private: fc.boolean() }),
  fc.record({ is_private: fc.constant(true), history_public_to_subscribers: fc.boolean() }),
  group('can_subscribe_group', fc.constantFrom(members, moderators, nobody)),
  group('can_administer_channel_group', fc.constantFrom(members, nobody)),
  group('can_send_message_group', fc.constantFrom(everyone, everyone, members, moderators)),
)

const channelByManager = ({ manager }: Ground) => ({ by: manager, channel: some })

export const actions = [
  kind(
    'create channel',
    ({ isOurs, who, name }) => ({
      name,
      others: fc.uniqueArray(who, { maxLength: isOurs ? 3 : 2 }),
      isPrivate: fc.boolean(),
      ...(isOurs && {
        byEmail: fc.boolean(),
        sharesHistory: fc.constantFrom(true, false, undefined),
        openedBy: fc.constantFrom(undefined, 'can_subscribe_group' as const, 'can_add_subscribers_group' as const),
        openTo: fc.uniqueArray(who, { maxLength: 3 }),
        openToNewcomer: fc.boolean(),
      }),
    }),
    (world, action) => world.makeChannel(action),
    { weight: 2 },
  ),
  ourKind(
    'make channel',
    ({ who }) => ({
      followers: fc.uniqueArray(who, { maxLength: 4 }),
      isPrivate: fc.boolean(),
      folder: fc.option(fc.nat({ max: 1 }), { nil: undefined }),
    }),
    async (world, { who, followers, isPrivate, folder }) => {
      const name = world.unique('conformance')
      const values = {
        name,
        subscribers: world.named(followers),
        invite_only: isPrivate,
        folder_id: foldersIn(world)[folder ?? -1],
      }
      const made = await world.person(who).call('create-channel', values)
      if (made.status === 200) world.channels.push({ id: made.body.id, name, isPrivate })
      return made
    },
  ),
  ourKind(
    'archive channel',
    ({ who, manager }) => ({ who: fc.oneof(who, manager), channel: some }),
    (world, { who, channel }) => world.person(who).call('archive-stream', { stream_id: world.channel(channel).id }),
  ),
  ourKind(
    'change channel',
    ({ manager }) => ({ by: manager, channel: some, change: anyChange }),
    async (world, { by, channel: number, change }) => {
      const channel = world.channel(number)
      const answer = await world.manager(by)?.call('update-stream', { stream_id: channel.id, ...change })
      if (answer?.status === 200) world.noteChange(channel, { isPrivate: change.is_private === true })
      return answer
    },
    { weight: 4 },
  ),
  ourKind(
    'put channel into folder',
    ({ manager }) => ({ by: manager, channel: some, folder: fc.option(fc.nat({ max: 1 }), { nil: undefined }) }),
    (world, { by, channel, folder }) => {
      const values = { stream_id: world.channel(channel).id, folder_id: foldersIn(world)[folder ?? -1] ?? null }
      return world.manager(by)?.call('update-stream', values)
    },
  ),
  ourKind('rename channel', channelByManager, async (world, { by, channel: number }) => {
    const channel = world.channel(number)
    const name = world.unique('Renamed')
    const answer = await world.manager(by)?.call('update-stream', { stream_id: channel.id, new_name: name })
    if (answer?.status === 200) world.noteChange(channel, { name })
    return answer
  }),
  ourKind(
    'take channel back',
    channelByManager,
    (world, { by, channel }) =>
      world.manager(by)?.call('update-stream', { stream_id: world.channel(channel).id, is_archived: false }),
    { weight: 2 },
  ),
  ourKind(
    'delete topic',
    ({ manager }) => ({ by: manager, message: some }),
    async (world, { by, message }) => {
      const { id: message_id, channel } = world.message(message) ?? {}
      const manager = world.manager(by)
      if (!channel || !manager) return undefined
      const { status, body } = await manager.call('get-message', { message_id, allow_empty_topic_name: true })
      if (status !== 200) return undefined
      const topic = body.message.subject
      const narrow = [
        { operator: 'channel', operand: channel.id },
        { operator: 'topic', operand: topic },
      ]
      const there = await manager.call('get-messages', { anchor: 'newest', num_before: 1000, num_after: 0, narrow })
      const deleted = await manager.call('delete-topic', { stream_id: channel.id, topic_name: topic })
      if (deleted.status === 200) for (const { id } of there.body.messages) world.deleted.add(id)
      return deleted
    },
  ),
]
