import { newBot } from '../acts/bots.ts'
import { addressFor } from '../acts/settings.ts'
import type { Account } from '../deployment/account.ts'
import type { Event, EventQueue } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { listen } from '../kernel/listening.ts'
import { organizationOf, postTo } from '../kernel/messaging.ts'
import { fewUsers } from '../laws/view.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json, listOf } from '../wire/values.ts'
import { by, refuses } from './outcomes.ts'

export const checks: readonly WrittenCheck[] = [
  {
    id: 'user-events/profile',
    title: 'a change of name or time zone is announced to others, and a hidden address is announced as null',
    requirements: ids('EV-REALMUSER', [1, 3, 4, 5, 10, 11, 15, 19]),
    async run(t) {
      const [user, queue, ofNames, reader] = [await t.newUser(), await listener(t), await listener(t), await t.user()]
      const own = await listen(user, ['realm_user'])
      const timezone = 'Asia/Tokyo'
      await user.must('update-settings', { timezone, enter_sends: true })
      const moved = await toldOf(t, 'EV-REALMUSER-1', queue, user, 'timezone')
      if (moved === undefined) return
      await toldOf(t, 'EV-REALMUSER-1', own, user, 'timezone')
      t.that('EV-REALMUSER-10', moved.exchange, moved.person.timezone === timezone, `\`timezone\` is "${timezone}"`)
      t.that('EV-REALMUSER-11', moved.exchange, typeof moved.person.email === 'string', '`email`, a string')
      const hiding = await user.call('update-settings', { email_address_visibility: addressFor.nobody })
      if (isRefused(hiding)) t.remarks.add('EV-REALMUSER-15: addresses cannot be hidden here')
      else {
        const told = await toldOf(t, 'EV-REALMUSER-15', queue, user, 'delivery_email')
        const isNull = told?.person.delivery_email === null
        if (told) t.that('EV-REALMUSER-15', told.exchange, isNull, '`delivery_email` is null')
        const { email } = (await reader.must('get-user', { user_id_or_email: user.userId })).body.user
        const named = await toldOf(t, 'EV-REALMUSER-19', ofNames, user, 'new_email')
        if (named)
          t.that('EV-REALMUSER-19', named.exchange, named.person.new_email === email, `\`new_email\` is ${email}`)
      }
      const full_name = t.unique('Renamed Conformance User')
      const renaming = await user.call('update-settings', { full_name })
      if (renaming.status !== 200) return // an organization may forbid it
      const renamed = await toldOf(t, 'EV-REALMUSER-1', queue, user, 'full_name')
      if (renamed === undefined) return
      await toldOf(t, 'EV-REALMUSER-1', own, user, 'full_name')
      const { person, exchange } = renamed
      t.that('EV-REALMUSER-5', exchange, person.full_name === full_name, `\`full_name\` is "${full_name}"`)
    },
  },
  {
    id: 'user-events/shown',
    title: 'an address that becomes visible is announced to others',
    requirements: ids('EV-REALMUSER', [3, 4, 10, 14, 15, 19]),
    async run(t) {
      const user = await t.newUser()
      const hiding = await user.call('update-settings', { email_address_visibility: addressFor.nobody })
      if (isRefused(hiding)) t.leaveOut('addresses cannot be hidden here')
      const [queue, reader] = [await listener(t), await t.user()]
      const all = await listen(reader, ['message', 'reaction', 'typing', 'realm_user'], { client_gravatar: false })
      const message_id = await postTo(user, [reader], 'Guess my address.')
      await user.must('add-reaction', { message_id, emoji_name: 'octopus' })
      await user.must('set-typing-status', { type: 'direct', op: 'start', to: [reader.userId] })
      await user.must('update-settings', { timezone: 'Asia/Tokyo' })
      const last = await toldOf(t, 'EV-REALMUSER-10', all, user, 'timezone')
      const leak = last?.events.find((event) => JSON.stringify(event).includes(user.email))
      if (last) t.that('EV-REALMUSER-15', last.exchange, leak === undefined, `no ${user.email} in ${leak?.type} events`)
      await user.must('update-settings', { email_address_visibility: addressFor.everybody })
      await addressIsTold(t, queue, user, user.email)
      await user.must('update-settings', { email_address_visibility: addressFor.nobody })
      const own = await listen(user, ['realm_user'])
      const moved = user.withLogin(`hidden-${user.email}`, user.login.apiKey)
      await user.call('update-settings', { email: moved.email })
      if ((await moved.call('get-own-user')).status !== 200) return // many servers confirm by mail first
      const values = { queue_id: own.id, last_event_id: -1, dont_block: true }
      const told = await moved.call('get-events', values)
      const isTold = listOf(told.body.events).some(({ person }) => person?.delivery_email === moved.email)
      t.that('EV-REALMUSER-14', told, isTold, `\`delivery_email\` ${moved.email}, for its owner alone`)
    },
  },
  {
    id: 'user-events/address',
    title: 'a change of address is announced to others, together with the new avatar',
    requirements: [...ids('EV-REALMUSER', [3, 4, 6, 7, 8, 9, 14, 19]), 'AUTH-1'],
    async run(t) {
      const [user, queue, gravatar] = [await t.newUser(), await listener(t), await listener(t, true)]
      const versions: unknown[] = [(await user.must('get-own-user')).body.avatar_version]
      let former = user
      for (const prefix of ['second', 'third']) {
        const moved = user.withLogin(`${prefix}-${user.email}`, user.login.apiKey)
        await former.call('update-settings', { email: moved.email })
        if ((await moved.call('get-own-user')).status !== 200) return // many servers confirm by mail first
        refuses(by(t, 'AUTH-1'), await former.call('get-own-user'), 'that is not the address any more')
        former = moved
        await addressIsTold(t, queue, user, moved.email)
        const told = await toldOf(t, 'EV-REALMUSER-6', queue, user, 'avatar_source')
        if (told === undefined) return
        const computing = await toldOf(t, 'EV-REALMUSER-6', gravatar, user, 'avatar_source')
        if (computing === undefined) return
        for (const one of [told, computing]) holdsPicture(t, one, versions)
        versions.push(told.person.avatar_version)
      }
    },
  },
  {
    id: 'user-events/account',
    title: 'a change of role, a deactivation and a reactivation are announced to others',
    requirements: [...ids('EV-REALMUSER', [3, 4, 13, 15, 20, 21]), 'LEVEL-222', ...ids('STATE-USER', [2, 3])],
    async run(t) {
      const [user, queue, admin] = [await t.newUser(), await listener(t), t.person('administrator')]
      const own = await listen(user, ['realm_user'])
      await admin.must('update-user', { user_id_or_email: user.userId, role: 300 })
      // Servers of level 263 announce addresses only when their owners change something.
      if (t.isParley) await hidesAddress(t, user)
      const promoted = await toldOf(t, 'EV-REALMUSER-13', queue, user, 'role')
      if (promoted === undefined) return
      t.that('EV-REALMUSER-13', promoted.exchange, promoted.person.role === 300, '`role` is 300')
      await toldOf(t, 'EV-REALMUSER-13', own, user, 'role')
      const [bot, bots] = [await newBot(t, user), await listener(t)]
      const groups = () => admin.must('register-queue', { fetch_event_types: ['realm_user_groups'] })
      for (const userId of [user.userId, await newBot(t, admin)]) {
        const state = await groups()
        const former = groupsWith(state, userId).join()
        const user_group_id = listOf(state.body.realm_user_groups).find(({ members }) => members.includes(userId))?.id
        await admin.must('deactivate-user', { user_id_or_email: userId })
        const during = await groups()
        const isIn = groupsWith(during, userId)
        if (former !== '') {
          t.that('STATE-USER-2', during, isIn.length === 0, `no group with user ${userId}, not ${isIn}`)
          const asked = await admin.must('get-is-user-group-member', { user_group_id, user_id: userId })
          t.that('STATE-USER-2', asked, asked.body.is_user_group_member === false, `user ${userId} in no group`)
        }
        await admin.must('reactivate-user', { user_id: userId })
        const again = await groups()
        const isBack = groupsWith(again, userId).join() === former
        t.that('STATE-USER-3', again, isBack, `user ${userId} in the groups ${former}`)
        for (const [requirement, is_active] of [
          ['EV-REALMUSER-20', false],
          ['EV-REALMUSER-21', true],
        ] as const) {
          const told = await toldOf(t, requirement, queue, { userId }, 'is_active')
          if (told === undefined) return
          t.that(requirement, told.exchange, told.person.is_active === is_active, `\`is_active\` is ${is_active}`)
          const older = is_active ? 'add' : 'remove'
          const other = told.events.find(({ op, person }) => op === older && person?.user_id === userId)
          t.that('LEVEL-222', told.exchange, other === undefined, `no \`realm_user\` op \`${older}\``)
        }
      }
      const ended = await toldOf(t, 'EV-REALMUSER-20', bots, { userId: bot }, 'is_active')
      if (ended === undefined) return
      const isOver = ended.person.is_active === false
      t.that('EV-REALMUSER-20', ended.exchange, isOver, '`is_active` of the bot is false: its owner was deactivated')
    },
  },
  {
    id: 'user-events/presence',
    title: 'a new user is announced, in the form that the client understands',
    requirements: ['EV-OTHER-4', 'EV-OTHER-9'],
    isFirst: true,
    async run(t) {
      const [user, reader] = [await t.newUser(), await t.user()]
      const client_capabilities = { notification_settings_null: true, simplified_presence_events: true }
      const modern = await listen(reader, ['presence'], { client_capabilities })
      const legacy = await listen(reader, ['presence'])
      const slim = await listen(reader, ['presence'], { slim_presence: true })
      const needFewUsers = async (): Promise<void> => {
        const { body } = await reader.must('get-users')
        const active = body.members.filter((one: Event) => one.is_active && !one.is_bot).length
        if (active > fewUsers) t.leaveOut(`announced only in small organizations, and this one has ${active} users`)
      }
      await needFewUsers()
      const { body: organization } = await organizationOf(reader)
      if (organization.realm_presence_disabled === true) t.leaveOut('the organization has turned presence off')
      await user.must('update-presence', { status: 'active' })
      const id = String(user.userId)
      const isOfUser = ({ presences, user_id }: Event): boolean => user_id === user.userId || id in (presences ?? {})
      for (const [queue, form] of [
        [modern, t.level >= 419 ? 'modern' : 'legacy'],
        [legacy, 'legacy'],
        [slim, 'slim'],
      ] as const) {
        const { event, exchange, lacked } = await queue.until(isOfUser)
        if (event === undefined) await needFewUsers() // other runs may have created users meanwhile
        t.that('EV-OTHER-4', exchange, event !== undefined, `a presence event of user ${id}; but ${lacked}`)
        if (event === undefined) return
        t.that('EV-OTHER-9', exchange, hasForm(event, form, id), formSays[form])
      }
    },
  },
]

/** An address for moderators: a moderator who becomes a member receives null, and the address again afterwards. */
async function hidesAddress(t: CheckContext, lowered: Account): Promise<void> {
  const hidden = await t.newUser()
  await hidden.must('update-settings', { email_address_visibility: addressFor.moderators })
  const queue = await listen(lowered, ['realm_user'])
  for (const [role, address] of [
    [400, null],
    [300, hidden.email],
  ] as const) {
    await t.person('administrator').must('update-user', { user_id_or_email: lowered.userId, role })
    const told = await toldOf(t, 'EV-REALMUSER-15', queue, hidden, 'delivery_email')
    const isSo = told?.person.delivery_email === address
    if (told) t.that('EV-REALMUSER-15', told.exchange, isSo, `\`delivery_email\` is ${address}: the role is ${role}`)
  }
}

const formSays = {
  modern: '`presences` by user id, with `active_timestamp` and `idle_timestamp`',
  legacy: '`user_id`, `server_timestamp`, `email` and `presence` by client',
  slim: '`user_id`, `server_timestamp` and `presence` by client, without `email`',
}

function hasForm(event: Event, form: keyof typeof formSays, id: string): boolean {
  if (form === 'modern') {
    const { active_timestamp: active, idle_timestamp: idle } = event.presences?.[id] ?? {}
    return Number.isInteger(active) && Number.isInteger(idle)
  }
  const [entry] = Object.values<Event>(event.presence ?? {})
  const isLegacy = Number.isInteger(event.user_id) && typeof event.server_timestamp === 'number'
  const isWhole = isLegacy && entry?.status === 'active' && Number.isInteger(entry.timestamp)
  return isWhole && (form === 'legacy') === (typeof event.email === 'string')
}

/** Listens as somebody whose name, address and role may change: never a given account. */
async function listener(t: CheckContext, client_gravatar = false): Promise<EventQueue> {
  return listen(await t.user(), ['realm_user'], { client_gravatar })
}

interface Told {
  readonly person: Event
  readonly exchange: Exchange
  /** All events up to this one. */
  readonly events: readonly Event[]
}

/** Waits for a change of `user` that has `field`. If none comes, `requirement` is violated. */
async function toldOf(
  t: CheckContext,
  requirement: string,
  queue: EventQueue,
  user: Pick<Account, 'userId'>,
  field: string,
) {
  const isOfUser = (id: unknown): boolean => String(id) === String(user.userId)
  const { event, events, exchange, lacked } = await queue.until(
    ({ type, op, person }) => type === 'realm_user' && op === 'update' && field in person && isOfUser(person.user_id),
  )
  const says = `\`realm_user\` op \`update\` of user ${user.userId} with \`${field}\`; but ${lacked}`
  if (!t.that(requirement, exchange, event !== undefined, says) || event === undefined) return undefined
  const { person } = event
  const problem = t.deployment.answers.problemOf('UserChange', person)
  const expected = `\`person\` in one of the forms of the contract; but ${problem}`
  t.that('EV-REALMUSER-3', exchange, problem === undefined, expected)
  t.that('EV-REALMUSER-4', exchange, person.user_id === user.userId, `\`user_id\` is ${user.userId}`)
  return { person, exchange, events }
}

/** Checks both fields in the events of a user whom the API identifies by this address. */
async function addressIsTold(t: CheckContext, queue: EventQueue, user: Account, email: string): Promise<void> {
  for (const [requirement, field] of [
    ['EV-REALMUSER-14', 'delivery_email'],
    ['EV-REALMUSER-19', 'new_email'],
  ] as const) {
    const told = await toldOf(t, requirement, queue, user, field)
    if (told) t.that(requirement, told.exchange, told.person[field] === email, `\`${field}\` is "${email}"`)
  }
}

function holdsPicture(t: CheckContext, { person, exchange }: Told, versions: readonly unknown[]): void {
  t.that('EV-REALMUSER-6', exchange, typeof person.avatar_url === 'string', '`avatar_url`, a string')
  t.that('EV-REALMUSER-7', exchange, typeof person.avatar_url_medium === 'string', '`avatar_url_medium`, a string')
  const isSource = ['G', 'U'].includes(person.avatar_source) || (t.level >= 466 && person.avatar_source === 'J')
  t.that('EV-REALMUSER-8', exchange, isSource, '`avatar_source` is "G", "J" or "U"')
  const isNew = Number.isInteger(person.avatar_version) && !versions.includes(person.avatar_version)
  t.that('EV-REALMUSER-9', exchange, isNew, `\`avatar_version\`, an integer that is none of ${versions.join(', ')}`)
}

/** Names of the groups that list the user. */
function groupsWith({ body }: Exchange, userId: number): string[] {
  const groups: readonly Json[] = Array.isArray(body?.realm_user_groups) ? body.realm_user_groups : []
  return groups.flatMap(({ name, members }) => (members?.includes(userId) ? [String(name)] : [])).toSorted()
}
