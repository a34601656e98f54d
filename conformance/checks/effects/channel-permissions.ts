import type { Account, Values } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, type Shows } from '../../kernel/effect.ts'
import { post } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused } from '../../wire/values.ts'

/** Two people, one with a permission and one without, in somebody else's channel. */
interface Divided {
  readonly boss: Account
  readonly named: Account
  readonly other: Account
  readonly channel: Channel
}

interface Permission {
  readonly setting: string
  readonly level: number
  /** Whether the channel is private, and neither of the two is subscribed. */
  readonly isClosed?: boolean
  /** What needs the permission; the person without it tries first. */
  act(who: Account, divided: Divided): Promise<Exchange>
  readonly does: string
}

const send = (who: Account, { id }: Channel, topic: string): Promise<Exchange> =>
  who.call('send-message', { type: 'stream', to: id, topic, content: 'May I?' })

/** The channel permissions that distinguish people, whatever the organization allows. */
const permissions: readonly Permission[] = [
  {
    setting: 'can_send_message_group',
    level: 333,
    does: 'posts in',
    act: (who, { channel }) => send(who, channel, 'given'),
  },
  {
    setting: 'can_create_topic_group',
    level: 441,
    does: 'starts a topic of',
    act: (who, { channel }) => send(who, channel, `topic of ${who.userId}`),
  },
  {
    setting: 'can_subscribe_group',
    level: 357,
    isClosed: true,
    does: 'joins',
    act: (who, { channel }) => who.call('subscribe', { subscriptions: [{ name: channel.name }] }),
  },
  {
    setting: 'can_remove_subscribers_group',
    level: 320,
    does: 'unsubscribes somebody from',
    act: (who, { channel, boss }) =>
      who.call('unsubscribe', { subscriptions: [channel.name], principals: [boss.userId] }),
  },
  {
    setting: 'can_delete_any_message_group',
    level: 407,
    does: 'deletes a message of somebody else in',
    act: async (who, { boss, channel }) =>
      who.call('delete-message', { message_id: await post(boss, channel, 'given', 'To be deleted.') }),
  },
  {
    setting: 'can_administer_channel_group',
    level: 325,
    does: 'archives',
    act: (who, { channel }) => who.call('archive-stream', { stream_id: channel.id }),
  },
]

/** What the settings of a channel allow. */
export const checks: readonly Check[] = [
  {
    isCostly: true,
    ...effectNamed(
      'effects/subscribe/permissions',
      'whoever is named in a permission of a channel may do what it is for, and nobody else',
      ['subscribe', 'send-message', 'unsubscribe', 'delete-message', 'archive-stream'],
      async (t, shows) => {
        if (t.level < 320) t.leaveOut('before level 320 permissions of channels name no people')
        const { user: named, other } = await t.scene()
        for (const permission of permissions) {
          if (t.level >= permission.level) await divides(t, shows, permission, named, other)
        }
      },
      'admin',
    ),
  },
  effectNamed(
    'effects/subscribe/topics_policy',
    'a channel takes the topics that its policy is for',
    ['subscribe', 'send-message', 'get-message'],
    async (t, shows, { user }) => {
      if (t.level < 404) t.leaveOut('before level 404 channels do not have all of the policies')
      const boss = t.person('owner')
      for (const [topics_policy, isEmptyTaken, isNamedTaken] of [
        ['allow_empty_topic', true, true],
        ['disable_empty_topic', false, true],
        ['empty_topic_only', true, false],
      ] as const) {
        const channel = await t.channel(boss, [user], false, { topics_policy })
        for (const [topic, isTaken] of [
          ['', isEmptyTaken],
          ['named', isNamedTaken],
        ] as const) {
          const exchange = await send(user, channel, topic)
          const says = `${isTaken ? 'success' : 'a refusal'} of the topic "${topic}", where \`topics_policy\` is ${topics_policy}`
          shows(exchange, isTaken ? exchange.status === 200 : isRefused(exchange), says)
        }
      }
    },
    'admin',
  ),
]

async function divides(
  t: CheckContext,
  shows: Shows,
  { setting, isClosed = false, does, act }: Permission,
  named: Account,
  other: Account,
): Promise<void> {
  const boss = t.person('owner')
  const wishes: Values = { [setting]: { direct_members: [named.userId, boss.userId], direct_subgroups: [] } }
  const channel = await t.channel(boss, isClosed ? [] : [named, other], isClosed, wishes)
  await post(boss, channel, 'given', 'A first message.')
  const divided = { boss, named, other, channel }
  const refused = await act(other, divided)
  const expected = `a refusal: user ${other.userId}, who is not in \`${setting}\`, ${does} channel ${channel.id}`
  shows(refused, isRefused(refused), expected)
  const done = await act(named, divided)
  const words = `success: user ${named.userId}, who is in \`${setting}\`, ${does} channel ${channel.id}`
  shows(done, done.status === 200, words)
}
