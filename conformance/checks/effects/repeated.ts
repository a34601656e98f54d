import { newBot } from '../../acts/bots.ts'
import { addedDomain } from '../../acts/email-domains.ts'
import { newUserGroup } from '../../acts/user-groups.ts'
import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, effectRule } from '../../kernel/effect.ts'
import { heardSoFar, listen } from '../../kernel/listening.ts'
import { post } from '../../kernel/messaging.ts'

interface People {
  readonly user: Account
  readonly other: Account
  readonly administrator: Account
}

/** A request, sent by `user` by default. */
type Request = readonly [values: Values, as?: Account]

interface Repeated {
  /** Which events count, because other things may change meanwhile. Undefined: all, because only `user` gets them. */
  readonly about?: RegExp
  readonly requests: readonly Request[]
}

const named = (noun: string, id: number): RegExp => new RegExp(`"${noun}_ids?":\\[?${id}\\b`)

/** By operation: event types, and requests that set something. Setting it again is not a change. */
const operations: Readonly<
  Record<string, readonly [types: readonly string[], (people: People, t: CheckContext) => Promise<Repeated>]>
> = {
  'update-settings': [
    ['user_settings'],
    async () => ({ requests: [[{ color_scheme: 2 }], [{ enable_sounds: false, web_font_size_px: 18 }]] }),
  ],
  'update-user': [
    ['realm_user'],
    async ({ user: { userId: id }, administrator }, t) => {
      const changes = [{ full_name: t.unique('Renamed') }, { role: 300 }]
      return {
        about: named('user', id),
        requests: changes.map((change) => [{ user_id_or_email: id, ...change }, administrator]),
      }
    },
  ],
  'update-stream': [
    ['stream', 'subscription'],
    async ({ user }, t) => {
      const { id } = await t.channel(user)
      const changes = [
        ...[{ description: 'Another one.' }, { topics_policy: 'empty_topic_only' }],
        { can_send_message_group: { new: { direct_members: [user.userId], direct_subgroups: [] } } },
        ...[{ is_private: true, history_public_to_subscribers: false }, { is_private: false }],
      ]
      return { about: named('stream', id), requests: changes.map((change) => [{ stream_id: id, ...change }]) }
    },
  ],
  'update-user-group': [
    ['user_group'],
    async ({ user, administrator }, t) => {
      const members = [user.userId]
      const id = await newUserGroup(administrator, { name: t.unique('conformance'), description: '', members })
      const mention = { new: { direct_members: members, direct_subgroups: [] } }
      const changes = [{ description: 'Another one.' }, { can_mention_group: mention }]
      return {
        about: named('group', id),
        requests: changes.map((change) => [{ user_group_id: id, ...change }, administrator]),
      }
    },
  ],
  'update-email-domain': [
    ['realm_domains'],
    async (_, t) => {
      const domain = await addedDomain(t)
      return { about: new RegExp(domain), requests: [[{ domain, allow_subdomains: true }, t.person('owner')]] }
    },
  ],
  'update-user-topic': [
    ['user_topic', 'muted_topics'],
    async ({ user }, t) => {
      const { id: stream_id } = await t.channel(user)
      const topic = 'again'
      return { requests: [3, 1, 0].map((visibility_policy) => [{ stream_id, topic, visibility_policy }]) }
    },
  ],
  'update-message-flags': [
    ['update_message_flags'],
    async ({ user, other }, t) => {
      const messages = [await post(other, await t.channel(user, [other]), 'again', 'Hello.')]
      const changes = ['starred', 'read'].flatMap((flag) => ['add', 'remove'].map((op) => ({ op, flag })))
      return { requests: changes.map((change) => [{ messages, ...change }]) }
    },
  ],
  'add-alert-words': [['alert_words'], async () => ({ requests: [[{ alert_words: ['again'] }]] })],
  'remove-alert-words': [
    ['alert_words'],
    async ({ user }) => {
      await user.must('add-alert-words', { alert_words: ['again'] })
      return { requests: [[{ alert_words: ['again'] }]] }
    },
  ],
  subscribe: [
    ['subscription', 'stream'],
    async ({ user, other }, t) => {
      const { id, name } = await t.channel(other)
      return {
        about: named('stream', id),
        requests: [[{ subscriptions: [{ name }], principals: [user.userId, other.userId] }]],
      }
    },
  ],
  unsubscribe: [
    ['subscription', 'stream'],
    async ({ user, other }, t) => {
      const { id, name } = await t.channel(user, [other])
      return { about: named('stream', id), requests: [[{ subscriptions: [name], principals: [user.userId] }]] }
    },
  ],
  'deactivate-bot': [
    ['realm_user', 'realm_bot'],
    async ({ user }, t) => {
      const id = await newBot(t, user)
      return { about: named('user', id), requests: [[{ bot_id: id }]] }
    },
  ],
  'deactivate-user': [
    ['realm_user'],
    async ({ administrator }, t) => {
      const { userId: id } = await t.newUser()
      return { about: named('user', id), requests: [[{ user_id_or_email: id }, administrator]] }
    },
  ],
  'reactivate-user': [
    ['realm_user'],
    async ({ administrator }, t) => {
      const { userId: id } = await t.newUser()
      await administrator.must('deactivate-user', { user_id_or_email: id })
      return { about: named('user', id), requests: [[{ user_id: id }, administrator]] }
    },
  ],
}

export const checks: readonly Check[] = [
  effectNamed(
    'effects/repeated',
    'repeating a request that is already in effect succeeds, and announces nothing',
    async (t, shows) => {
      if (!t.isParley) t.leaveOut('other servers may announce values that did not change')
      const people = { user: await t.newUser(), other: await t.newUser(), administrator: t.person('administrator') }
      const { user, other } = people
      for (const [operation, [types, make]] of Object.entries(operations)) {
        const { about = /./, requests } = await make(people, t)
        for (const [values, as = user] of requests) {
          await as.must(operation, values)
          const queues = [
            await listen(user, ['message', ...types]),
            await listen(other, ['message', ...types]),
          ] as const
          const exchange = await as.must(operation, values)
          const heard = [
            ...((await heardSoFar(shows, [queues[0]], other, user)) ?? []),
            ...((await heardSoFar(shows, [queues[1]], user, other)) ?? []),
          ]
          const told = heard
            .flatMap(({ events }) => events)
            .filter((event) => event.type !== 'message' && about.test(JSON.stringify(event)))
          const says = `no event of ${operation}, which changes nothing; but ${JSON.stringify(told)}`
          shows(exchange, told.length === 0, says)
        }
      }
    },
    effectRule,
  ),
]
