import type { Check } from '../../kernel/check.ts'
import { effectNamed } from '../../kernel/effect.ts'
import { clockOf } from '../../kernel/messaging.ts'
import { isObject, type Json } from '../../wire/values.ts'
import { entryOf, reportUntil } from '../presence.ts'

export const checks: readonly Check[] = [
  effectNamed(
    'effects/update-presence/together',
    'which form presences have is decided by all parameters together',
    ['update-presence', 'get-user'],
    async (t, shows, { user, other }) => {
      if (t.level < 263) t.leaveOut('before level 263 presences have no IDs')
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
        const says = `${form === 'modern' ? 'IDs' : 'addresses'} for the keys of \`presences\`, for ${sent}`
        shows(exchange, isInForm, says)
        const entries: readonly Json[] = Object.values(presences ?? {})
        const isFull = entries.every((one) => 'aggregated' in one === (form === 'legacy'))
        shows(exchange, isFull, `each presence in the ${form} format, for ${sent}`)
        const isNow = Math.abs(Number(now) - clockOf(exchange)) < 86_400
        shows(exchange, isNow, `\`server_timestamp\` is now, in seconds, for ${sent}`)
      }
    },
  ),
]
