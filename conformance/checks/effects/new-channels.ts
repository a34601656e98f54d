import type { Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed } from '../../kernel/effect.ts'
import { listen } from '../../kernel/listening.ts'
import { isRefused, type Json, listOf } from '../../wire/values.ts'
import { groupSettings, hasSubscribers, isSame } from './subscribing.ts'

const seeing = ['get-stream', 'get-subscribers', 'register-queue', 'get-events', 'delete-queue'] as const

export const checks: readonly Check[] = [
  effect(
    'create-channel',
    'a channel is made as was asked for, and those follow it who were named',
    [...seeing, 'archive-stream'],
    async (t, shows, { user, other }) => {
      const owner = t.person('owner') // who may choose all of this on every server
      const wanted: Values = {
        ...{ invite_only: true, history_public_to_subscribers: true, topics_policy: 'disable_empty_topic' },
        ...{ message_retention_days: 30, description: 'Made **alone** & "<b>".', ...groupSettings(t, owner, other) },
      }
      const queue = await listen(other, ['subscription'])
      for (const [wishes, followers] of [
        [wanted, [owner, other]],
        [{}, [other]],
        [{}, []],
      ] as const) {
        const values = { name: t.unique('conformance'), subscribers: followers.map(({ userId }) => userId), ...wishes }
        const made = await owner.must('create-channel', values)
        const channel = { id: made.body.id, name: values.name }
        const usual = {
          ...{ description: '', invite_only: false, history_public_to_subscribers: true, topics_policy: 'inherit' },
          ...{ message_retention_days: null, ...(t.level >= 323 && { is_recently_active: true }) },
        }
        const { subscribers: _, ...expected } = { ...usual, ...values }
        const shown = await owner.must('get-stream', { stream_id: channel.id })
        for (const [field, value] of Object.entries<unknown>({ ...expected, creator_id: owner.userId })) {
          const says = `\`${field}\` of channel ${channel.id} is ${JSON.stringify(value)}`
          shows(shown, isSame(shown.body.stream[field], value), says)
        }
        await hasSubscribers(shows, owner, channel, followers)
        if (followers.length === 0) continue
        const isMeant = (one: Json): boolean => listOf(one.subscriptions).some((each) => each.stream_id === channel.id)
        const { event, exchange, lacked } = await queue.until((one) => one.op === 'add' && isMeant(one))
        shows(exchange, event !== undefined, `the subscription told to user ${other.userId}; but ${lacked}`)
        const taken = await user.call('create-channel', { name: channel.name.toUpperCase(), subscribers: [] })
        shows(taken, taken.status === 409, 'a refusal: there is a channel of this name')
      }
    },
    'admin',
  ),
  effectNamed(
    'effects/create-channel/nobody',
    'where somebody is named who is not there, no channel is made',
    ['create-channel', 'get-stream-id'],
    async (t, shows, { user }) => {
      const name = t.unique('conformance')
      const refused = await user.call('create-channel', { name, subscribers: [user.userId, 2_147_483_646] })
      shows(refused, isRefused(refused), 'a refusal: one of those who are to follow does not exist')
      const sought = await user.call('get-stream-id', { stream: name })
      shows(sought, isRefused(sought), 'a refusal: nothing was made')
    },
  ),
]
