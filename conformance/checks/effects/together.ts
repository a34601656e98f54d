import { operationNamed, requestOf } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { clockOf, postTo } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isObject, isSetOf, type Json, listOf } from '../../wire/values.ts'
import { entryOf, reportUntil } from '../presence.ts'

/** Parameters that are sent together, and addresses in another case. */
export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-presence/together',
    'which form presences have is decided by all parameters together',
    ['update-presence', 'get-user'],
    async (t, shows) => {
      if (t.level < 263) t.leaveOut('before level 263 presences have no IDs')
      const { user, other } = await t.scene()
      await other.must('update-presence', { status: 'active', ping_only: true })
      await reportUntil(
        t,
        user,
        { status: 'active', slim_presence: true },
        (shown) => entryOf(shown, other) !== undefined,
      )
      const [slim, fat] = [{ slim_presence: true }, { slim_presence: false }]
      const [all, ping] = [{ last_update_id: -1 }, { ping_only: true }]
      for (const [values, form] of [
        ...[{}, fat, { ping_only: false }, { history_limit_days: 7 }].map((one) => [one, 'legacy'] as const),
        ...[slim, all, { ...all, ...fat }, { ...all, ...slim }, { ...all, ping_only: false }].map(
          (one) => [one, 'modern'] as const,
        ),
        ...[
          { ...all, history_limit_days: 7 },
          { ...slim, new_user_input: true },
        ].map((one) => [one, 'modern'] as const),
        ...[ping, { ...ping, ...all }, { ...ping, ...slim }, { ...ping, ...fat }].map((one) => [one, 'none'] as const),
      ]) {
        const exchange = await user.must('update-presence', { status: 'active', ...values })
        const { presences, server_timestamp: now } = exchange.body
        const sent = JSON.stringify(values)
        if (form === 'none') {
          shows(exchange, presences === undefined && now === undefined, `no presences and no time, for ${sent}`)
          continue
        }
        const keys = Object.keys(isObject(presences) ? presences : {})
        const isInForm = keys.length > 0 && keys.every((key) => (form === 'modern' ? /^\d+$/ : /@/).test(key))
        shows(
          exchange,
          isInForm,
          `${form === 'modern' ? 'IDs' : 'addresses'} for the keys of \`presences\`, for ${sent}`,
        )
        const entries: readonly Json[] = Object.values(presences ?? {})
        const isFull = entries.every((one) => 'aggregated' in one === (form === 'legacy'))
        shows(exchange, isFull, `each presence in the ${form} format, for ${sent}`)
        const isNow = Math.abs(Number(now) - clockOf(exchange)) < 86_400
        shows(exchange, isNow, `\`server_timestamp\` is now, in seconds, for ${sent}`)
      }
    },
  ),
  effectNamed(
    'effects/get-user/case',
    'an address is the same in small and in capital letters, wherever people are named by it',
    [
      ...['get-user', 'fetch-api-key', 'send-message', 'get-messages', 'subscribe', 'update-user', 'create-user'],
      'get-presence',
    ],
    async (t, shows) => {
      const { user } = await t.scene()
      const named = await t.newUser()
      await named.must('update-presence', { status: 'active' })
      const [admin, channel] = [t.person('administrator'), await t.channel(user)]
      const known = await user.must('get-user', { user_id_or_email: named.userId })
      const address: string = known.body.user.email
      const id = await postTo(named, [user], 'Who is it?')
      for (const email of [address.toUpperCase(), `${address[0]?.toUpperCase()}${address.slice(1)}`]) {
        const is = (exchange: Exchange, isRight: boolean, what: string): boolean =>
          shows(exchange, isRight, `${what} user ${named.userId}, by the address ${email}`)
        const key = await t.deployment.send(
          requestOf(operationNamed(t.deployment.contract, 'fetch-api-key'), {
            username: named.email.toUpperCase(),
            password: named.password,
          }),
        )
        is(key, key.body?.api_key === named.login.apiKey, 'the key of')
        const found = await user.call('get-user', { user_id_or_email: email })
        is(found, found.body?.user?.user_id === named.userId, 'the account of')
        const presence = await user.call('get-presence', { user_id_or_email: email })
        is(presence, presence.status === 200, 'the presence of')
        const narrow = [{ operator: 'sender', operand: email }]
        const list = await user.call('get-messages', { anchor: id, num_before: 0, num_after: 5, narrow })
        const ids = listOf(list.body?.messages).map((one: Json) => one.id)
        is(list, isSetOf(ids, [id]), `message ${id} of`)
        const sent = await user.call('send-message', { type: 'private', to: [email], content: 'You.' })
        is(sent, sent.status === 200, 'a message to')
        const values = { subscriptions: [{ name: channel.name }], principals: [email] }
        const added = await user.call('subscribe', values)
        is(added, added.status === 200, 'a subscription of')
        const full_name = t.unique('Cased')
        if (t.level < 313) continue
        const renamed = await admin.call('update-user', { user_id_or_email: email, full_name })
        is(renamed, renamed.status === 200, 'another name for')
        const after = await user.must('get-user', { user_id_or_email: named.userId })
        is(after, after.body.user.full_name === full_name, `"${full_name}", the name of`)
      }
    },
    'admin',
  ),
]
