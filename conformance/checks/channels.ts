import { succeeded } from '../deployment/account.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { WrittenCheck } from '../kernel/check.ts'
import { channelWithoutTopics, post } from '../kernel/messaging.ts'
import { changeSetting } from '../kernel/subscription-setting.ts'
import { isRefused, listOf } from '../wire/values.ts'
import { by, refuses, succeeds } from './outcomes.ts'
import { describedKeys } from './own-events.ts'
import { ownOf } from './subscriptions.ts'

const settingsBase = { area: 'Subscription' } as const

export const checks: readonly WrittenCheck[] = [
  {
    id: 'channels/unsubscribe-others',
    title: 'an administrator can unsubscribe others from any channel, and rename it',
    requirements: ['SUB-FIELD-45', 'SUB-FIELD-46'],
    async run(t) {
      const { user: creator, other: reader } = await t.scene()
      const admin = t.person('administrator')
      const onlyCreator = { direct_members: [creator.userId], direct_subgroups: [] }
      const wishes = t.level < 320 ? {} : { can_remove_subscribers_group: onlyCreator }
      for (const [kind, isPrivate, more] of [
        ['public', false, {}],
        ['private', true, { history_public_to_subscribers: true }],
        ['private, with protected history', true, { history_public_to_subscribers: false }],
      ] as const) {
        const channel = await t.channel(creator, [reader], isPrivate, { ...wishes, ...more })
        const values = { subscriptions: [channel.name], principals: [reader.userId] }
        const removed = await admin.call('unsubscribe', values)
        const who = `${admin.userId}, an administrator who is not in the channel, which is ${kind}`
        const expected = `user ${reader.userId} is unsubscribed by user ${who}`
        if (!t.that('SUB-FIELD-46', removed, removed.status === 200, expected)) continue
        const exchange = await reader.must('get-subscriptions')
        t.that('SUB-FIELD-46', exchange, ownOf(exchange, channel) === undefined, `no channel ${channel.id}`)
        const change = { stream_id: channel.id, new_name: t.unique('renamed') }
        succeeds(by(t, 'SUB-FIELD-45'), await admin.call('update-stream', change), `user ${who}, renames it`)
      }
    },
  },
  {
    id: 'channels/muted',
    title: 'the combined feed leaves out messages of muted channels',
    requirements: ['SUB-FIELD-24'],
    async run(t) {
      const { user: author, other: reader } = await t.scene()
      const channels = [await t.channel(author, [reader]), await t.channel(author, [reader])]
      const sent: { isMuted: boolean; id: number }[] = []
      for (const [index, channel] of channels.entries()) {
        const isMuted = index === 0
        await changeSetting(reader, t.level, { stream_id: channel.id, property: 'is_muted', value: isMuted })
        const message = { type: 'stream', to: channel.id, topic: 'feed', content: 'Is it there?' }
        sent.push({ isMuted, id: Number((await author.must('send-message', message)).body.id) })
      }
      for (const { isMuted, id } of sent) {
        const feed = [{ operator: 'in', operand: 'home' }]
        const exchange = await reader.call('get-messages', { narrow: feed, anchor: id, num_before: 0, num_after: 0 })
        if (isRefused(exchange)) return t.leaveOut('the server does not know the narrow in:home')
        const isThere = listOf(exchange.body?.messages).some((one) => one.id === id)
        t.that('SUB-FIELD-24', exchange, isThere !== isMuted, `${isMuted ? 'no ' : ''}message ${id}`)
      }
    },
  },
  {
    id: 'channel-settings/empty-topic-only',
    title: 'a channel can be limited to the empty topic only while it has no other topic',
    requirements: ['SUB-FIELD-37'],
    async run(t) {
      if (t.level < 404) t.leaveOut('before level 404 channels cannot be limited to the empty topic')
      const { user } = await t.scene()
      const admin = t.person('owner')
      const named = await t.channel(admin, [user])
      const empty = await channelWithoutTopics(t, admin, [user])
      await post(admin, named, 'named', 'Here.')
      await post(admin, empty, '', 'There.')
      const set = ({ id }: Channel, topics_policy: string) =>
        admin.call('update-stream', { stream_id: id, topics_policy })
      const limit = (channel: Channel) => set(channel, 'empty_topic_only')
      const holds = async (channel: Channel, policy: string): Promise<void> => {
        const exchange = await user.must('get-subscriptions')
        const is = ownOf(exchange, channel)?.topics_policy
        t.that('SUB-FIELD-37', exchange, is === policy, `\`topics_policy\` of channel ${channel.id} is "${policy}"`)
      }
      for (const policy of ['inherit', 'allow_empty_topic', 'disable_empty_topic']) {
        for (const channel of [named, empty]) succeeded('update-stream', await set(channel, policy))
        // Its newest message is then in the empty topic.
        if (policy === 'allow_empty_topic') await post(admin, named, '', 'Here, too.')
        const because = `channel ${named.id}, which had the policy "${policy}", has messages in "named"`
        refuses(by(t, 'SUB-FIELD-37'), await limit(named), because)
        await holds(named, policy)
        const why = `nothing in channel ${empty.id} is in another topic than the empty one`
        succeeds(by(t, 'SUB-FIELD-37'), await limit(empty), why)
        await holds(empty, 'empty_topic_only')
      }
    },
  },
  {
    ...settingsBase,
    id: 'channel-settings/unarchived',
    title: 'an archived channel stays readable, and can be restored',
    requirements: ['STATE-OTHER-1'],
    async run(t) {
      if (t.level < 388) t.leaveOut('before level 388 archived channels do not come back')
      const { user } = await t.scene()
      const admin = t.person('owner')
      const channel = await t.channel(admin, [user])
      const before = ownOf(await user.must('get-subscriptions'), channel)
      const message_id = await post(admin, channel, 'first', 'To be read.')
      const reads = async (when: string) => {
        const read = await user.call('get-message', { message_id })
        return t.that('STATE-OTHER-1', read, read.status === 200, `message ${message_id}, ${when}`)
      }
      const late = { type: 'stream', to: channel.id, topic: 'second', content: 'Once more.' }
      const archived = await admin.call('archive-stream', { stream_id: channel.id })
      if (!t.that('STATE-OTHER-1', archived, archived.status === 200, `channel ${channel.id} is archived`)) return
      await reads('while its channel is archived')
      refuses(by(t, 'STATE-OTHER-1'), await user.call('send-message', late), `channel ${channel.id} is archived`)
      const back = await admin.call('update-stream', { stream_id: channel.id, is_archived: false })
      if (!t.that('STATE-OTHER-1', back, back.status === 200, `channel ${channel.id} comes back`)) return
      await reads('when its channel is back')
      const exchange = await user.must('get-subscriptions')
      const isBack = ownOf(exchange, channel)?.is_archived === false
      t.that('STATE-OTHER-1', exchange, isBack, `channel ${channel.id}, with \`is_archived\` false`)
      const lost = describedKeys.filter((field) => ownOf(exchange, channel)?.[field] !== before?.[field])
      t.that('STATE-OTHER-1', exchange, lost.length === 0, `channel ${channel.id} as before; but ${lost} changed`)
      succeeds(by(t, 'STATE-OTHER-1'), await user.call('send-message', late), `channel ${channel.id} is back`)
    },
  },
]
