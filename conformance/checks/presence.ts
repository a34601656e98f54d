import { addressFor } from '../acts/settings.ts'
import type { Account, Values } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { effectNamed } from '../kernel/effect.ts'
import { heardSoFar, listen } from '../kernel/listening.ts'
import { answerWhen, clockOf, organizationOf } from '../kernel/messaging.ts'
import type { Exchange } from '../wire/http.ts'
import { canonical, isObject, type Json, listOf } from '../wire/values.ts'
import { by, refuses, succeeds } from './outcomes.ts'

export const daySeconds = 24 * 3600
const recentSeconds = 180
/** Clocks are read at different moments. */
const slackSeconds = 60

export const checks: readonly WrittenCheck[] = [
  {
    id: 'presence/report',
    title: 'a presence report is recorded, and answered with the presence of others',
    requirements: [...ids('PRESENCE', [3, 5, 7, 9, 13, 18, 22, 23, 24, 28]), ...ids('PRES-FIELD', [1, 2, 3])],
    async run(t) {
      const { user: one, other } = await t.scene()
      await report(other, { status: 'active' })
      for (const hasInput of [false, true]) {
        const isActiveIn = (exchange: Exchange, user: Account): boolean =>
          isRecent(entryOf(exchange, user)?.active_timestamp, exchange)
        const values = { status: 'active', new_user_input: hasInput, last_update_id: -1 }
        const areThere = (answer: Exchange): boolean => [one, other].every((user) => isActiveIn(answer, user))
        const exchange = await reportUntil(t, one, values, areThere)
        const is = (id: string, holds: boolean, expected: string): boolean => t.that(id, exchange, holds, expected)
        const { presences, ignored_parameters_unsupported: ignored } = exchange.body
        is('PRESENCE-13', !listOf(ignored).includes('new_user_input'), '`new_user_input` is not ignored')
        is('PRESENCE-18', Number.isInteger(exchange.body.presence_last_update_id), '`presence_last_update_id` is there')
        const told = exchange.body.server_timestamp
        is('PRESENCE-22', Math.abs(told - clockOf(exchange)) < slackSeconds, '`server_timestamp` is the present')
        if (!is('PRESENCE-23', isObject(presences), '`presences` is an object')) return
        const entries: readonly Json[] = Object.values(presences)
        is('PRESENCE-5', entries.length > 0, 'presence of at least the caller')
        const areIds = Object.keys(presences).every((key) => /^\d+$/.test(key))
        for (const id of ['PRES-FIELD-1', 'PRESENCE-9', 'PRESENCE-24']) is(id, areIds, 'user IDs for keys')
        for (const [id, name] of [
          ['PRES-FIELD-2', 'active_timestamp'],
          ['PRES-FIELD-3', 'idle_timestamp'],
        ] as const) {
          const words = `\`${name}\` of everybody is an integer`
          const isRight = entries.every((entry) => Number.isInteger(entry?.[name]))
          is(id, isRight, words)
        }
        const says = `\`active_timestamp\` of user ${one.userId} is the present`
        for (const id of ['PRESENCE-3', 'PRESENCE-28']) is(id, isActiveIn(exchange, one), says)
        is('PRESENCE-7', isActiveIn(exchange, other), `presence of user ${other.userId}, who reported before`)
      }
    },
  },
  {
    id: 'presence/ping',
    title: 'with ping_only, a presence report is recorded, and answered without presences',
    requirements: ids('PRESENCE', [6, 18, 19, 21, 22, 23]),
    async run(t) {
      const { user: one, other } = await t.scene()
      const pinged = await report(one, { status: 'active', ping_only: true })
      t.that('PRESENCE-6', pinged, !('presences' in pinged.body), 'no `presences`')
      t.that('PRESENCE-23', pinged, !('presences' in pinged.body), 'no `presences`')
      t.that('PRESENCE-22', pinged, !('server_timestamp' in pinged.body), 'no `server_timestamp`')
      const id = pinged.body.presence_last_update_id
      const isSilent = id === undefined
      const says = '`presence_last_update_id` is an integer'
      t.thatOrDeviates('NOTE-41', 'PRESENCE-18', pinged, Number.isInteger(id), says, isSilent)
      const isNone = '`presence_last_update_id` is -1: nothing was told'
      t.thatOrDeviates('NOTE-41', 'PRESENCE-21', pinged, id === -1, isNone, isSilent)
      const isThere = (answer: Exchange): boolean => isRecent(entryOf(answer, one)?.active_timestamp, answer)
      const exchange = await reportUntil(t, other, { status: 'active', last_update_id: -1 }, isThere)
      t.that('PRESENCE-6', exchange, isThere(exchange), `\`active_timestamp\` of user ${one.userId} is the present`)
      const { presence_last_update_id: last } = exchange.body
      if (!Number.isInteger(last)) return
      for (const last_update_id of [last, last + 1_000_000]) {
        const again = await report(one, { status: 'active', ping_only: true, last_update_id })
        const { presence_last_update_id: said } = again.body
        const isNotBelow = `\`presence_last_update_id\` is at least ${last_update_id}`
        t.thatOrDeviates('NOTE-41', 'PRESENCE-19', again, said >= last_update_id, isNotBelow, said === undefined)
      }
    },
  },
  {
    id: 'presence/idle',
    title: 'a report of being idle keeps the time of the last activity',
    requirements: ['PRESENCE-4'],
    async run(t) {
      const { user: observer } = await t.scene()
      // An account that has been in use for long, and for which no other check reports presence.
      const user = highest(t)
      if (user === undefined || user === observer) return t.leaveOut('needs the credentials of one more person')
      const values = { status: 'active', last_update_id: -1 }
      await user.call('update-settings', { presence_enabled: true }) // a given account may be invisible
      const before = entryOf(await report(observer, values), user)
      const known = await observer.must('get-user', { user_id_or_email: String(user.userId) })
      await report(user, { status: 'idle', new_user_input: true, ping_only: true })
      const isIdle = (answer: Exchange): boolean => isRecent(entryOf(answer, user)?.idle_timestamp, answer)
      const exchange = await reportUntil(t, observer, values, isIdle)
      const after = entryOf(exchange, user)
      t.that('PRESENCE-4', exchange, isIdle(exchange), `\`idle_timestamp\` of user ${user.userId} is the present`)
      const joined = Date.parse(known.body.user.date_joined) / 1000
      const latest = before?.active_timestamp ?? Math.max(joined, clockOf(exchange) - 14 * daySeconds)
      const isLeft = before ? after?.active_timestamp === latest : after?.active_timestamp <= latest
      t.that('PRESENCE-4', exchange, isLeft, `\`active_timestamp\` of user ${user.userId} is as before, ${latest}`)
    },
  },
  {
    id: 'presence/refused',
    title: 'a presence report without a valid status is refused',
    requirements: ['PRESENCE-1', 'PRESENCE-2'],
    conditional: ['PRESENCE-31'],
    async run(t) {
      const { user } = await t.scene()
      refuses(by(t, 'PRESENCE-1'), await user.call('update-presence', {}), 'there is no `status`')
      for (const status of ['active', 'idle']) {
        succeeds(by(t, 'PRESENCE-2'), await user.call('update-presence', { status }), `"${status}" is a \`status\``)
      }
      for (const status of ['away', 'offline', '', 'ACTIVE']) {
        refuses(by(t, 'PRESENCE-2'), await user.call('update-presence', { status }), `"${status}" is no \`status\``)
      }
      const bot = t.deployment.given.find(({ isBot }) => isBot)
      if (bot === undefined) return
      const refused = await bot.call('update-presence', { status: 'active' })
      t.that('PRESENCE-31', refused, refused.body?.code === 'BAD_REQUEST', 'BAD_REQUEST')
      t.refusedWith('PRESENCE-31', refused, 'This endpoint does not accept bot requests.')
    },
  },
  {
    id: 'presence/newer',
    title: 'asking again returns new presences only',
    requirements: ids('PRESENCE', [3, 8, 9, 12, 19, 20, 29]),
    async run(t) {
      const { user: one, other: early } = await t.scene()
      const late = await t.newUser()
      await report(early, { status: 'active', ping_only: true })
      const ask = (id: unknown): Promise<Exchange> => report(one, { status: 'active', last_update_id: id })
      const everything = { status: 'active', last_update_id: -1 }
      const modern = await ask(0)
      const areIds = Object.keys(modern.body.presences).every((key) => /^\d+$/.test(key))
      t.that('PRESENCE-9', modern, areIds, 'user IDs for keys, as in the modern format: 0 is a `last_update_id`, too')
      const all = await reportUntil(t, one, everything, (answer) => entryOf(answer, early) !== undefined)
      const values = { event_types: ['presence'], fetch_event_types: ['presence'], slim_presence: true }
      const queue = await EventQueue.open(one, values)
      for (const status of ['idle', 'active']) await report(late, { status, ping_only: true })
      const first = queue.registered.body.presence_last_update_id
      const sinceThen = { status: 'active', last_update_id: first }
      const isActive = (answer: Exchange): boolean => isRecent(entryOf(answer, late)?.active_timestamp, answer)
      const registered = await reportUntil(t, one, sinceThen, isActive)
      const says = `\`active_timestamp\` of user ${late.userId} is the present, after an idle report`
      t.that('PRESENCE-3', registered, isActive(registered), says)
      const next = await ask(all.body.presence_last_update_id)
      for (const [id, exchange] of [
        ['PRESENCE-29', registered],
        ['PRESENCE-8', next],
      ] as const) {
        t.that(id, exchange, entryOf(exchange, late) !== undefined, `user ${late.userId}, who reported since`)
        t.that(id, exchange, entryOf(exchange, early) === undefined, `no user ${early.userId}, who reported before`)
      }
      const last = await ask(next.body.presence_last_update_id)
      const isGone = entryOf(last, late) === undefined && entryOf(last, early) === undefined
      t.that('PRESENCE-8', last, isGone, `neither user ${early.userId} nor user ${late.userId}, who were told before`)
      if (t.level >= 288) {
        const sinceNext = { last_update_id: next.body.presence_last_update_id, history_limit_days: 14 }
        const bounded = await report(one, { status: 'active', ...sinceNext })
        t.that('PRESENCE-12', bounded, entryOf(bounded, late) === undefined, `no user ${late.userId}, told before`)
        const isPast = (answer: Exchange): boolean =>
          Math.floor(answer.body.server_timestamp) > Number(entryOf(answer, late)?.active_timestamp)
        if (isPast(await reportUntil(t, one, sinceThen, isPast))) {
          const whole = await report(one, { ...sinceThen, history_limit_days: 0 })
          t.that('PRESENCE-12', whole, entryOf(whole, late) !== undefined, `user ${late.userId}, who reported since`)
        }
      }
      for (const [sent, exchange] of [
        [first, registered],
        [all.body.presence_last_update_id, next],
        [next.body.presence_last_update_id, last],
      ] as const) {
        const { presence_last_update_id: id, presences } = exchange.body
        t.that('PRESENCE-19', exchange, id >= sent, `\`presence_last_update_id\` is at least ${sent}`)
        const others = Object.keys(presences).filter((key) => key !== String(one.userId))
        const isSame = id === sent
        const fits = isSame ? others.length === 0 : Object.keys(presences).length > 0
        t.that(
          'PRESENCE-20',
          exchange,
          fits,
          isSame ? 'no presence of others: the ID has not changed' : 'a presence: the ID has changed',
        )
      }
    },
  },
  {
    id: 'presence/invisible',
    title: 'the presence of an invisible user does not change',
    requirements: ['PRESENCE-26', 'PRESENCE-27'],
    async run(t) {
      const { user: observer } = await t.scene()
      const user = await t.newUser()
      const { email } = (await observer.must('get-user', { user_id_or_email: user.userId })).body.user
      const look = async () => {
        const exchange = await report(observer, { status: 'active', last_update_id: -1 })
        const legacy = await report(observer, { status: 'active' })
        const alone = await observer.call('get-presence', { user_id_or_email: user.userId })
        const told = canonical([entryOf(exchange, user), legacy.body.presences[email], alone.body.presence])
        return { exchange, told }
      }
      await user.must('update-settings', { presence_enabled: false })
      await isEnabled(t, user, false)
      const before = await look()
      await leaveOutWhereOff(t, observer, before.exchange.body.presences)
      const queue = await listen(observer, ['message', 'presence'], { slim_presence: true })
      for (const status of ['active', 'idle']) await report(user, { status })
      const [heard] = (await heardSoFar(by(t, 'PRESENCE-26'), [queue], await t.user(), observer)) ?? []
      const isTold = heard?.events.some(
        ({ user_id, presences = {} }) => user_id === user.userId || user.userId in presences,
      )
      if (heard) t.that('PRESENCE-26', heard.exchange, !isTold, `no event about the presence of user ${user.userId}`)
      const during = await look()
      const says = `the presence of user ${user.userId} from before their report, ${before.told}; but ${during.told}`
      t.that('PRESENCE-26', during.exchange, before.told === during.told, says)
      await user.must('update-settings', { presence_enabled: true })
      await isEnabled(t, user, true)
      await report(user, { status: 'active' })
      const isThere = (answer: Exchange): boolean => isRecent(entryOf(answer, user)?.active_timestamp, answer)
      const after = await reportUntil(t, observer, { status: 'active', last_update_id: -1 }, isThere)
      t.that('PRESENCE-26', after, isThere(after), `a recent presence of user ${user.userId}, who is visible again`)
    },
  },
  effectNamed(
    'effects/update-presence/together',
    'the format of presences depends on all parameters together',
    async (t, shows, { user, other }) => {
      await other.must('update-presence', { status: 'active', ping_only: true })
      const isThere = (shown: Exchange): boolean => entryOf(shown, other) !== undefined
      await reportUntil(t, user, { status: 'active', slim_presence: true }, isThere)
      const [slim, fat] = [{ slim_presence: true }, { slim_presence: false }]
      const [all, ping] = [{ last_update_id: -1 }, { ping_only: true }]
      for (const [values, form] of [
        ...[{}, fat, { ping_only: false }, { history_limit_days: 7 }, { status: 'idle' }].map(
          (one) => [one, 'legacy'] as const,
        ),
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
        const { presences, server_timestamp: now, presence_last_update_id: last } = exchange.body
        const sent = JSON.stringify(values)
        if (form === 'none') {
          shows(exchange, presences === undefined && now === undefined, `no presences and no time, for ${sent}`)
          continue
        }
        shows(exchange, last !== -1, `\`presence_last_update_id\` is not -1: presences are told, for ${sent}`)
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
  {
    area: 'Presence entry',
    id: 'legacy-presence/entries',
    title: 'presences are keyed by address unless the modern format is requested',
    requirements: [...ids('PRESENCE', [15, 16, 17, 24, 30]), ...ids('PRES-FIELD', [4, 5, 6, 7, 8, 9, 10])],
    async run(t) {
      const { user: one, other } = await t.scene()
      await report(other, { status: 'active' })
      const known = await one.must('get-user', { user_id_or_email: String(other.userId) })
      const address: string = known.body.user.email
      const isThere = ({ body }: Exchange): boolean => body.presences?.[address] !== undefined
      const usual = await reportUntil(t, one, { status: 'active' }, isThere)
      const fat = await report(one, { status: 'active', slim_presence: false })
      const slim = await report(one, { status: 'active', slim_presence: true })
      for (const [id, exchange] of [
        ['PRESENCE-15', usual],
        ['PRESENCE-17', usual],
        ['PRESENCE-17', fat],
        ['PRESENCE-24', usual],
        ['PRES-FIELD-4', usual],
      ] as const) {
        const keys = Object.keys(exchange.body.presences)
        const areAddresses = keys.includes(address) && keys.every((key) => key.includes('@'))
        t.that(id, exchange, areAddresses, `addresses for keys, "${address}" among them`)
      }
      const keys = Object.keys(slim.body.presences)
      const areIds = keys.includes(String(other.userId)) && keys.every((key) => /^\d+$/.test(key))
      for (const id of ['PRESENCE-16', 'PRESENCE-24']) {
        t.that(id, slim, areIds, `user IDs for keys, ${other.userId} among them`)
      }
      const { aggregated, ...clients }: Json = usual.body.presences[address] ?? {}
      const is = (id: string, holds: boolean, expected: string): boolean => t.that(id, usual, holds, expected)
      is('PRES-FIELD-5', isObject(aggregated), '`aggregated` is an object')
      const each: readonly Json[] = Object.values(clients)
      is('PRES-FIELD-6', each.length > 0 && each.every(isObject), 'an object for at least one client')
      is('PRESENCE-30', Object.keys(clients).join() === 'website', '`aggregated` and `website`, no others')
      const all = [aggregated, ...each]
      const says = '`client` is a string'
      const isRight = all.every((it) => typeof it?.client === 'string')
      is('PRES-FIELD-7', isRight, says)
      const areNamed = Object.entries<Json>(clients).every(([name, it]) => it?.client === name)
      is('PRES-FIELD-7', areNamed, '`client` of the object of a client is its name')
      const words = '`status` is "active"'
      const areRight = all.every((it) => it?.status === 'active')
      is('PRES-FIELD-8', areRight, words)
      const isSo = all.every((it) => isRecent(it?.timestamp, usual))
      is('PRES-FIELD-9', isSo, '`timestamp` is the present second')
      const arePushable = each.every((it) => typeof it?.pushable === 'boolean')
      is('PRES-FIELD-10', arePushable, '`pushable` is a boolean')
      const newcomer = await t.newUser()
      // If the server can hide the address, it is hidden: the key is the address that others see.
      const hidden = newcomer.known('update-settings', { email_address_visibility: addressFor.nobody })
      await newcomer.call('update-settings', hidden)
      await report(newcomer, { status: 'idle' })
      const { email } = (await one.must('get-user', { user_id_or_email: String(newcomer.userId) })).body.user
      const seen = await reportUntil(t, one, { status: 'active' }, ({ body }) => email in body.presences)
      const isFound = email in seen.body.presences
      t.that('PRESENCE-17', seen, isFound, `"${email}", by which others know user ${newcomer.userId}`)
      for (const entry of Object.values<Json>(seen.body.presences[email] ?? {})) {
        t.that('PRES-FIELD-9', seen, isRecent(entry.timestamp, seen), '`timestamp` of the idle report is the present')
        // Other servers may count newcomers as active.
        if (t.isParley) t.that('PRES-FIELD-8', seen, entry.status === 'idle', '`status` is "idle"')
      }
    },
  },
]

export function report(user: Account, values: Values): Promise<Exchange> {
  return user.must('update-presence', values)
}

/** The first answer that shows others' reports, or else the last one: servers may store reports after they answer. */
async function reportUntil(t: CheckContext, user: Account, values: Values, isThere: (answer: Exchange) => boolean) {
  const first = await report(user, values)
  await leaveOutWhereOff(t, user, first.body.presences)
  return isThere(first) ? first : answerWhen(user, () => report(user, values), isThere)
}

export function entryOf({ body }: Exchange, { userId }: Account): Json {
  return body.presences?.[userId]
}

/** The given account with the highest role. */
function highest({ deployment }: CheckContext): Account | undefined {
  const roles = ['owner', 'administrator', 'moderator', 'member'] as const
  return roles.map((role) => deployment.atLeast(role)).find((account) => account !== undefined)
}

/**
 * Whether this can be the record of somebody who has just reported. A server may ignore reports within a minute of
 * another one, and requests may be queued.
 */
function isRecent(timestamp: unknown, exchange: Exchange): boolean {
  return Number.isInteger(timestamp) && Math.abs(Number(timestamp) - clockOf(exchange)) < recentSeconds
}

/** If the organization has turned presence off, nobody has any, even after a report. */
async function leaveOutWhereOff(t: CheckContext, user: Account, presences: unknown): Promise<void> {
  if (!isObject(presences) || Object.keys(presences).length > 0) return
  const { body } = await organizationOf(user)
  if (body.realm_presence_disabled === true) t.leaveOut('the organization has turned presence off')
}

/** Looks among the user's settings and in the user object: the field may be in either. */
async function isEnabled(t: CheckContext, user: Account, isOn: boolean): Promise<void> {
  const values = { event_types: ['user_settings'], fetch_event_types: ['user_settings'] }
  const state = await user.must('register-queue', values)
  const { body } = await user.must('get-user', { user_id_or_email: String(user.userId) })
  const has = state.body.user_settings?.presence_enabled === isOn || body.user.presence_enabled === isOn
  t.that('PRESENCE-27', state, has, `\`presence_enabled\` is ${isOn}`)
}
