import { type Account, operationNamed, type Values } from '../../deployment/account.ts'
import { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { heardSoFar, listen } from '../../kernel/listening.ts'
import { post } from '../../kernel/messaging.ts'
import { holds, innerSchemas, type Schema } from '../../wire/contract.ts'
import type { Exchange } from '../../wire/http.ts'
import { isSetOf, type Json, listOf } from '../../wire/values.ts'

const day = 24 * 3600
const rule = 'CONTRACT-ANSWER'
/** Present only if something was ignored, or if topic policies were not requested. */
const optional = new Set(['ignored_parameters_unsupported', 'muted_topics'])

export const checks: readonly Check[] = [
  effectNamed(
    'effects/register-queue/types',
    'the initial state has the requested fields',
    async (_, shows, { user }) => {
      const fields = ['alert_words', 'user_settings', 'user_status'] as const
      const asked: readonly (readonly [Values, readonly string[]])[] = [
        [{ event_types: ['alert_words', 'message'] }, ['alert_words']],
        [{ event_types: ['alert_words', 'message'], fetch_event_types: ['user_settings'] }, ['user_settings']],
        [{ event_types: ['user_status', 'message', 'conformance'], fetch_event_types: [] }, []],
        [{ fetch_event_types: ['user_status'] }, ['user_status']],
      ]
      for (const [values, wanted] of asked) {
        const exchange = await user.must('register-queue', values)
        const has = fields.filter((name) => name in exchange.body)
        const says = `of ${fields.join(', ')} only ${wanted.join() || 'nothing'}, for ${JSON.stringify(values)}`
        shows(exchange, has.join() === wanted.join(), says)
      }
    },
  ),
  effectNamed(
    'effects/register-queue/form',
    'the default form of texts and avatars equals the form that is requested explicitly',
    async (_, shows, { user, other, channel, topic }) => {
      const base = { event_types: ['message'], fetch_event_types: ['realm_user'] }
      const said = { apply_markdown: false, client_gravatar: true }
      const opened = [await EventQueue.open(other, base), await EventQueue.open(other, { ...base, ...said })] as const
      const [state, wanted] = opened.map(({ registered }) => pictureOf(registered, user))
      shows(opened[0].registered, state === wanted, `\`avatar_url\` of user ${user.userId} is ${wanted}`)
      const id = await post(user, channel, topic, '**bold**')
      const [usual, spelled] = (await heardSoFar(shows, opened, user, other)) ?? []
      if (usual === undefined) return
      const [message, same] = [usual, spelled].map(
        (one) => one?.events.find((event) => event.message?.id === id)?.message,
      )
      shows(usual.exchange, message?.content === '**bold**', '`content` is Markdown')
      const isSame = message?.content_type === same?.content_type && message?.avatar_url === same?.avatar_url
      shows(usual.exchange, isSame, `\`content_type\` and \`avatar_url\` as with ${JSON.stringify(said)}`)
    },
  ),
  effectNamed(
    'effects/register-queue/subscribers',
    'subscribers of channels are included on request',
    async (t, shows, { user, other }) => {
      const [own, foreign] = [await t.channel(user, [other]), await t.channel(other)]
      const asked = [undefined, 'false', 'true', ...(t.level >= 412 ? ['partial'] : [])]
      for (const include_subscribers of asked) {
        const exchange = await user.must('register-queue', { event_types: ['subscription'], include_subscribers })
        const { subscriptions, never_subscribed: others } = exchange.body
        const isAsked = include_subscribers === 'true' || include_subscribers === 'partial'
        for (const [channel, people] of [
          [own, [user.userId, other.userId]],
          [foreign, [other.userId]],
        ] as const) {
          const has = [...listOf(subscriptions), ...listOf(others)].find((one: Json) => one.stream_id === channel.id)
          const isRight = isAsked ? isSetOf(has?.subscribers, people) : has !== undefined && !('subscribers' in has)
          const says = `${isAsked ? `\`subscribers\` ${people.join()}` : 'no `subscribers`'} of channel ${channel.id}, for include_subscribers=${include_subscribers ?? '(none)'}`
          shows(exchange, isRight, says)
        }
      }
    },
  ),
  effectNamed(
    'effects/register-queue/all_public_streams',
    'messages of public channels without a subscription arrive only on request',
    async (t, shows, { user, other }) => {
      const [followed, open, hidden] = [
        await t.channel(user, [other]),
        await t.channel(user),
        await t.channel(user, [], true),
      ]
      const asked: readonly Values[] = [{}, { all_public_streams: false }, { all_public_streams: true }]
      const opened = await Promise.all(asked.map((values) => listen(other, ['message'], values)))
      const ids: number[] = []
      for (const channel of [followed, open, hidden]) ids.push(await post(user, channel, 'public', 'Who reads this?'))
      const heard = await heardSoFar(shows, opened, user, other)
      for (const [index, { events, exchange }] of (heard ?? []).entries()) {
        const has = events.flatMap(({ message }) => (ids.includes(message?.id) ? [message.id] : []))
        const wanted = ids.slice(0, asked[index]?.all_public_streams === true ? 2 : 1)
        const says = `of messages ${ids.join()} only ${wanted.join()}, for ${JSON.stringify(asked[index])}`
        shows(exchange, isSetOf(has, wanted), says)
      }
    },
  ),
  effectNamed(
    'effects/register-queue/narrow',
    'the narrow of a queue selects new messages, and no other events',
    async (t, shows, { user, other, channel, topic }) => {
      const elsewhere = await t.channel(user, [other])
      // When the queue has received the last message meant for it, it has received everything before.
      const heard = ['message', 'update_message', 'reaction', 'delete_message']
      const queue = await listen(other, heard, { narrow: [['stream', channel.name]] })
      const message_id = await post(user, elsewhere, topic, 'Elsewhere.')
      const edited = await user.call('update-message', { message_id, content: 'Elsewhere, and edited.' })
      await user.must('add-reaction', { message_id, emoji_name: 'octopus' })
      const deleted = await t.person('administrator').call('delete-message', { message_id })
      const last = await post(user, channel, topic, 'Here.')
      const { event, events, exchange, lacked } = await queue.until({ type: 'message', message: { id: last } })
      if (!shows(exchange, event !== undefined, `the event of message ${last}; but ${lacked}`)) return
      const told = events.filter(({ message, message_ids: some = [], message_id: one }) =>
        [message?.id, one, ...some].includes(message_id),
      )
      const wanted = [
        ...(edited.status === 200 ? ['update_message'] : []),
        'reaction',
        ...(deleted.status === 200 ? ['delete_message'] : []),
      ]
      const types = told.map(({ type }) => type)
      const expected = `of message ${message_id} events of the types ${wanted.join()} alone`
      shows(exchange, types.join() === wanted.join(), expected)
    },
  ),
  effectNamed(
    'effects/register-queue/idle_queue_timeout',
    'a queue that nobody polls lives as long as requested',
    async (t, shows, { user }) => {
      if (t.level < 481) t.leaveOut('before level 481 clients cannot say how long a queue lives')
      const usual = (await user.must('register-queue', { event_types: ['message'], fetch_event_types: [] })).body
      const asked: readonly (readonly [Values, number])[] = [
        [{ idle_queue_timeout: 1800 }, 1800],
        [{ idle_queue_timeout: 'mobile' }, 12 * 3600],
        // Only Parley documents the maximum, and the effect of the older name.
        ...(t.isParley
          ? ([
              [{ idle_queue_timeout: 8 * day }, 7 * day],
              // As the mobile client sends it.
              [{ idle_queue_timeout: '"mobile"' }, 12 * 3600],
              [{ queue_lifespan_secs: 1200 }, 1200],
              [{ queue_lifespan_secs: 0 }, usual.idle_queue_timeout_secs],
              [{ queue_lifespan_secs: 1200, idle_queue_timeout: 1800 }, 1800],
              [{}, 600],
            ] as const)
          : []),
      ]
      for (const [values, seconds] of asked) {
        const exchange = await user.must('register-queue', {
          event_types: ['message'],
          fetch_event_types: [],
          ...values,
        })
        const has = exchange.body.idle_queue_timeout_secs
        shows(exchange, has === seconds, `\`idle_queue_timeout_secs\` is ${seconds}, for ${JSON.stringify(values)}`)
      }
    },
  ),
  {
    area: 'POST /register',
    id: 'register-queue/everything',
    title: 'a client that does not choose event types receives all that the contract has at this level',
    requirements: [rule],
    async run(t) {
      const state = await (await t.user()).must('register-queue', {})
      for (const name of fieldsAt(t)) {
        t.thatOrDeviates(rule, rule, state, state.body[name] !== undefined, `\`${name}\``)
      }
    },
  },
]

function pictureOf({ body }: Exchange, { userId }: Account): unknown {
  return listOf(body.realm_users).find((one: Json) => one.user_id === userId)?.avatar_url
}

/** The fields of the answer that exist at the server's level. */
function fieldsAt({ deployment: { contract }, level, isParley }: CheckContext): string[] {
  const isThere = (one: Schema): boolean =>
    holds(one['x-feature-level'] ?? {}, level) && (isParley || !one['x-parley-only'])
  const fieldsOf = (schema: Schema): string[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      isThere(field) && !optional.has(name) ? [name] : [],
    ),
    ...innerSchemas(schema, contract.schemas).filter(isThere).flatMap(fieldsOf),
  ]
  return fieldsOf(operationNamed(contract, 'register-queue').answers.get(200) ?? {})
}
