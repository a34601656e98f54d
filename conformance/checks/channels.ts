import type { Check } from '../kernel/check.ts'
import { changeSetting } from '../kernel/subscription-setting.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused } from '../wire/values.ts'
import { ownOf } from './subscriptions.ts'

const base = { area: 'Subscription', profile: 'core' } as const
const operations = ['subscribe', 'get-subscriptions'] as const

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'channels/unsubscribe-others',
    title: 'an administrator may unsubscribe others whatever the channel says',
    requirements: ['SUB-FIELD-46'],
    operations: [...operations, 'unsubscribe'],
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
        const who = `user ${admin.userId}, an administrator who is not in the channel, which is ${kind}`
        const expected = `user ${reader.userId} is unsubscribed by ${who}`
        if (!t.that('SUB-FIELD-46', removed, removed.status === 200, expected)) continue
        const exchange = await reader.must('get-subscriptions')
        t.that('SUB-FIELD-46', exchange, ownOf(exchange, channel) === undefined, `no channel ${channel.id}`)
      }
    },
  },
  {
    ...base,
    id: 'channels/muted',
    title: 'messages of muted channels are not in the combined feed',
    requirements: ['SUB-FIELD-24'],
    operations: [...operations, 'update-subscription-settings', 'send-message', 'get-messages'],
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
        t.that('SUB-FIELD-24', exchange, hasMessage(exchange, id) !== isMuted, `${isMuted ? 'no ' : ''}message ${id}`)
      }
    },
  },
]

function hasMessage({ body }: Exchange, id: number): boolean {
  return Array.isArray(body?.messages) && body.messages.some((one: { id: unknown }) => one.id === id)
}
