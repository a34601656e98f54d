import { newBot } from '../acts/bots.ts'
import { addressFor } from '../acts/settings.ts'
import { type Account, roleCodes as ROLE } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { groupSettingsIn } from '../kernel/group-settings.ts'
import { eventOf, listen } from '../kernel/listening.ts'
import { fetched, postTo } from '../kernel/messaging.ts'
import { belowAdministrator } from '../kernel/people-of-roles.ts'
import type { Exchange } from '../wire/http.ts'
import { canonical, isIntegers, isRefused, isSetOf, type Json } from '../wire/values.ts'
import { by, refuses, succeeds } from './outcomes.ts'

export const checks: readonly WrittenCheck[] = [
  {
    id: 'users/update',
    also: ['update-user'],
    title: 'an administrator can rename another user',
    requirements: [...ids('USER-UPD', [1, 2, 3, 12, 14, 15, 17])],
    async run(t) {
      const admin = t.person('administrator')
      const user = await t.newUser()
      const queue = await EventQueue.open(admin, { event_types: ['realm_user'] })
      const before = await profile(admin, user)
      succeeds(by(t, 'USER-UPD-2'), await update(admin, user, {}), 'a request without parameters is valid')
      const same = await update(admin, user, { full_name: ' ', role: before.body.user.role })
      succeeds(by(t, 'USER-UPD-17'), same, 'a blank name and the present role are no change')
      const name = t.unique('Another Name')
      const named = await update(admin, user, { full_name: name })
      t.that('USER-UPD-1', named, named.status === 200, 'an update of the user whom the path names')
      t.bareSuccess('USER-UPD-12', named)
      const after = await profile(admin, user)
      t.that('USER-UPD-3', after, after.body.user.full_name === name, `\`full_name\` is "${name}"`)
      const moved = changed(before, after).filter((field) => field !== 'full_name')
      t.that('USER-UPD-2', after, moved.length === 0, `the user as before, but for the name; changed: ${moved}`)
      const bots = t.deployment.given.filter(({ isBot }) => isBot)
      for (const one of [user, ...bots.slice(0, 1)]) {
        for (const [wrong, msg] of [
          ['x'.repeat(101), 'Name too long!'],
          ['a*b', 'Invalid characters in name!'],
        ] as const) {
          const refused = await update(admin, one, { full_name: wrong })
          t.refusedWith('USER-UPD-15', refused, msg)
          if (one.isBot && !isRefused(refused)) await update(admin, one, { full_name: one.fullName })
        }
      }
      const nobody = await admin.call('update-user', { user_id_or_email: '2147483646', full_name: name })
      t.that('USER-UPD-14', nobody, nobody.body?.code === 'BAD_REQUEST', 'BAD_REQUEST')
      t.refusedWith('USER-UPD-14', nobody, 'No such user')
      const stranger = await update(user, admin, { full_name: name })
      onlyAdministrators(t, 'USER-UPD-1', stranger)
      for (const person of await belowAdministrator(t))
        onlyAdministrators(t, 'USER-UPD-1', await update(person, user, { full_name: t.unique('By Others') }))
      const unmoved = await profile(admin, user)
      t.that('USER-UPD-1', unmoved, unmoved.body.user.full_name === name, `\`full_name\` is still "${name}"`)
      const { event, exchange, lacked } = await queue.until((one) => one.person?.user_id === user.userId)
      const isName = event?.person.full_name === name
      t.that('USER-UPD-17', exchange, isName, `no event of the user before that of "${name}"; but ${lacked}`)
      const small = name.toLowerCase()
      await update(admin, user, { full_name: small })
      const renamed = await profile(admin, user)
      t.that('USER-UPD-3', renamed, renamed.body.user.full_name === small, `\`full_name\` is "${small}"`)
    },
  },
  {
    id: 'users/role',
    title: 'an administrator can change the role of another user',
    requirements: ids('USER-UPD', [4, 5, 13]),
    async run(t) {
      const admin = t.person('administrator')
      const user = await t.newUser()
      const deputy = await t.newUser()
      const isNow = async (id: string, role: number): Promise<boolean> => {
        const exchange = await profile(admin, user)
        const { role: is, is_owner: isOwner } = exchange.body.user
        return t.that(id, exchange, is === role && isOwner === false, `\`role\` is ${role}, and \`is_owner\` false`)
      }
      await isNow('USER-UPD-4', ROLE.member)
      const { moderator, administrator, member, guest } = ROLE
      for (const role of [moderator, administrator, member, guest, moderator, guest]) {
        succeeds(by(t, 'USER-UPD-4'), await update(admin, user, { role }), `the role ${role} is given`)
        await isNow('USER-UPD-4', role)
      }
      for (const boss of new Set([admin, t.deployment.atLeast('owner') ?? admin])) {
        // Only owners make owners.
        for (const role of boss.role === 'owner' ? [ROLE.administrator, ROLE.owner] : [ROLE.administrator]) {
          const jumped = await update(boss, user, { role })
          t.that('USER-UPD-13', jumped, jumped.body?.code === 'BAD_REQUEST', 'BAD_REQUEST, because the user is a guest')
          await isNow('USER-UPD-13', ROLE.guest)
        }
      }
      for (const role of [0, 500, 601]) {
        refuses(by(t, 'USER-UPD-4'), await update(admin, user, { role }), `there is no role ${role}`)
      }
      await isNow('USER-UPD-4', ROLE.guest)
      await admin.must('update-user', { user_id_or_email: String(deputy.userId), role: ROLE.administrator })
      await update(admin, user, { role: ROLE.member })
      refuses(by(t, 'USER-UPD-5'), await update(deputy, user, { role: ROLE.owner }), 'only owners make owners')
      await isNow('USER-UPD-5', ROLE.member)
      const ofBot = { user_id_or_email: await newBot(t, user) }
      const demoted = await admin.call('update-user', { ...ofBot, role: ROLE.guest })
      if (demoted.status !== 200) return // some servers give bots no role
      const bot = await admin.must('get-user', ofBot)
      t.that('USER-UPD-4', bot, bot.body.user.role === ROLE.guest, `\`role\` of the bot is ${ROLE.guest}`)
    },
  },
  {
    id: 'users/owner',
    title: 'owners can appoint and demote owners, except the last one',
    isFirst: true, // other checks create more owners
    requirements: [...ids('USER-UPD', [5, 6]), 'EV-REALMUSER-13'],
    conditional: ['USER-UPD-7'],
    async run(t) {
      const owner = t.person('owner')
      const user = await t.newUser()
      const deputy = await t.newUser()
      await owner.must('update-user', { user_id_or_email: String(deputy.userId), role: ROLE.administrator })
      await t.deployment.whileOwnersStay(() => ownership(t, owner, { user, deputy }))
    },
  },
  {
    id: 'users/email',
    title: 'owners with that permission can change addresses, and nobody else can',
    requirements: ['USER-UPD-10', 'USER-UPD-11', 'USER-UPD-16', 'AUTH-14', 'LEVEL-285'],
    conditional: ['USER-UPD-9', 'EV-REALMUSER-14'],
    async run(t) {
      if (t.level < 285) return t.leaveOut('addresses are changed by others only from level 285 on')
      const [owner, user] = [t.person('owner'), await t.newUser()]
      const fresh = (): string => `${t.unique('moved').replaceAll(' ', '-')}@conformance.example`
      const isStill = async (id: string, email: string): Promise<void> => {
        const exchange = await profile(owner, user)
        const { delivery_email: is } = exchange.body.user
        t.that(id, exchange, is === null || is === email, `\`delivery_email\` is ${email}`)
      }
      const deputy = await t.newUser()
      await owner.must('update-user', { user_id_or_email: String(deputy.userId), role: ROLE.administrator })
      const byDeputy = await update(deputy, user, { new_email: fresh() })
      for (const id of ['USER-UPD-11', 'AUTH-14']) {
        refuses(by(t, id), byDeputy, 'the caller is an administrator, not an owner')
        await isStill(id, user.email)
      }
      refuses(by(t, 'USER-UPD-11'), await update(deputy, deputy, { new_email: fresh() }), 'only owners change it')
      const ofBot = { user_id_or_email: await newBot(t, user), new_email: fresh() }
      refuses(by(t, 'USER-UPD-11'), await deputy.call('update-user', ofBot), 'only owners change that of a bot')
      await t.deployment.whileOwnersStay(async () => {
        await owner.must('update-user', { user_id_or_email: String(deputy.userId), role: ROLE.owner })
        try {
          const byOther = await update(deputy, user, { new_email: fresh() })
          refuses(by(t, 'USER-UPD-10'), byOther, 'this owner may not change addresses')
          await isStill('USER-UPD-10', user.email)
        } finally {
          await update(owner, deputy, { role: ROLE.member })
        }
      })
      const same = await update(owner, user, { new_email: '' })
      const ignored: unknown = same.body?.ignored_parameters_unsupported
      t.that('LEVEL-285', same, ignored === undefined, '`new_email` is not ignored')
      t.refusedWith('USER-UPD-16', await update(owner, user, { new_email: deputy.email }), 'Email is already in use.')
      await isStill('USER-UPD-16', user.email)
      const email = fresh()
      const queue = await listen(owner, ['realm_user'])
      const changed = await update(owner, user, { new_email: email })
      if (isRefused(changed) && !t.isParley) {
        t.remarks.add('the owner may not change addresses')
        return
      }
      t.that('USER-UPD-9', changed, changed.status === 200, 'a change of the address')
      await isStill('USER-UPD-9', email)
      const { delivery_email } = (await profile(owner, user)).body.user
      const person = { user_id: user.userId, delivery_email }
      if (delivery_email !== null) await eventOf(by(t, 'EV-REALMUSER-14'), queue, { type: 'realm_user', person })
    },
  },
  {
    id: 'accounts/by-address',
    title: 'a user is updated by address as by ID',
    requirements: ['USER-EMAIL-1', 'USER-EMAIL-4', 'USER-EMAIL-5'],
    conditional: ['USER-EMAIL-2', 'USER-EMAIL-3'],
    async run(t) {
      if (t.level < 313) return t.leaveOut('users can be updated by address only from level 313 on')
      const boss = t.person('administrator')
      const user = await t.newUser()
      const read = (name: string): Promise<Exchange> => boss.call('get-user', { user_id_or_email: name })
      const rename = (name: string, fullName: string): Promise<Exchange> =>
        boss.call('update-user', { user_id_or_email: name, full_name: fullName })
      const isNamed = async (id: string, fullName: string): Promise<boolean> => {
        const exchange = await read(String(user.userId))
        return t.that(id, exchange, exchange.body?.user?.full_name === fullName, `\`full_name\` is "${fullName}"`)
      }
      const known = await read(String(user.userId))
      const address = known.body?.user?.delivery_email
      if (typeof address === 'string') {
        const name = t.unique('By Address')
        const named = await rename(address, name)
        const expected = `an update of ${address}, which the caller can see`
        if (!t.that('USER-EMAIL-1', named, named.status === 200, expected)) return
        await isNamed('USER-EMAIL-1', name)
        t.bareSuccess('USER-EMAIL-4', named)
        const values = { user_id_or_email: address }
        refuses(by(t, 'USER-EMAIL-4'), await boss.call('update-user', { ...values, role: 500 }), 'there is no role 500')
        const promoted = await boss.call('update-user', { ...values, role: 300 })
        t.that('USER-EMAIL-4', promoted, promoted.status === 200, 'the role 300 is given')
        const after = await read(String(user.userId))
        t.that('USER-EMAIL-4', after, after.body?.user?.role === 300, '`role` is 300')
      }
      const bot = (await boss.must('get-user', { user_id_or_email: await newBot(t, user) })).body.user
      succeeds(by(t, 'USER-EMAIL-1'), await rename(bot.email, t.unique('By Address')), 'bots have addresses, too')
      await boss.must('deactivate-bot', { bot_id: bot.user_id })
      const gone = await rename(bot.email, t.unique('By Address'))
      succeeds(by(t, 'USER-EMAIL-4'), gone, 'a deactivated bot still has its address')
      const own = await user.call('update-user', { user_id_or_email: user.email, full_name: t.unique('Own') })
      onlyAdministrators(t, 'USER-EMAIL-5', own)
      const hidden = await user.call('update-settings', { email_address_visibility: addressFor.nobody })
      if (isRefused(hidden)) return
      const shown = await read(String(user.userId))
      if (shown.body?.user?.delivery_email !== null) return
      const standIn = String(shown.body.user.email)
      const isStandIn = standIn.startsWith(`user${user.userId}@`)
      t.that('USER-EMAIL-2', shown, isStandIn, `\`email\` is user${user.userId}@ and the organization's host`)
      const name = t.unique('By Stand-in')
      succeeds(by(t, 'USER-EMAIL-2'), await rename(standIn, name), `${standIn} is an address of theirs`)
      await isNamed('USER-EMAIL-2', name)
      for (const exchange of [await rename(user.email, t.unique('Hidden')), await read(user.email)]) {
        refuses(by(t, 'USER-EMAIL-3'), exchange, `the address ${user.email} is hidden`)
      }
      await isNamed('USER-EMAIL-3', name)
    },
  },
  {
    id: 'accounts/named',
    title: 'the permissions of a channel no longer contain a deactivated user',
    requirements: ['STATE-USER-2'],
    async run(t) {
      if (t.level < 320) return t.leaveOut('the permissions of a channel can name people only from level 320 on')
      const [creator, reader] = [await t.user(), await t.user()]
      const user = await t.newUser()
      const direct_members = [creator.userId, user.userId]
      const setting = 'can_remove_subscribers_group'
      const value = { direct_members, direct_subgroups: [] }
      const more = t.level < 333 ? {} : { can_send_message_group: value }
      const channel = await t.channel(creator, [reader], false, { [setting]: value, ...more })
      const listed = async (): Promise<[Exchange, unknown]> => {
        const exchange = await reader.must('get-subscriptions')
        const found = exchange.body.subscriptions.find((one: Json) => one.stream_id === channel.id)
        return [exchange, found?.[setting]?.direct_members]
      }
      const [, named] = await listed()
      if (!isSetOf(named, direct_members)) t.leaveOut(`the channel was made with another \`${setting}\``)
      const queue = await listen(reader, ['stream'])
      await t.person('administrator').must('deactivate-user', { user_id_or_email: user.userId })
      const [after, left] = await listed()
      t.that('STATE-USER-2', after, isSetOf(left, [creator.userId]), `\`${setting}\` names user ${creator.userId} only`)
      const states = { event_types: ['stream'], fetch_event_types: ['realm', 'realm_user_groups', 'subscription'] }
      const state = await EventQueue.open(reader, states)
      for (const exchange of [after, await reader.must('get-streams'), state.registered]) {
        const naming = groupSettingsIn(exchange.body).filter(
          ({ value }) => isIntegers(value?.direct_members) && value.direct_members.includes(user.userId),
        )
        const places = naming.map(({ place }) => place)
        t.that('STATE-USER-2', exchange, places.length === 0, `nothing that names the user; but there is ${places}`)
      }
      const wanted = { type: 'stream', op: 'update', stream_id: channel.id, property: setting }
      const { event, exchange, lacked } = await queue.until(wanted)
      const isTold = isSetOf(event?.value?.direct_members, [creator.userId])
      t.that('STATE-USER-2', exchange, isTold, `an update of \`${setting}\` without the user; but ${lacked}`)
    },
  },
  {
    id: 'accounts/organization',
    title: 'people and bots belong to one organization',
    requirements: ['SCOPE-1'],
    async run(t) {
      const { user: author, other: reader } = await t.scene()
      const bot = t.deployment.given.find(({ isBot }) => isBot)
      const senders = [author, reader, ...(bot === undefined ? [] : [bot])]
      const listed = await reader.must('get-users')
      const members = new Set(listed.body.members.map((one: Json) => one.user_id))
      const organizations = new Set<unknown>()
      for (const sender of senders) {
        t.that('SCOPE-1', listed, members.has(sender.userId), `user ${sender.userId} among the members`)
        const exchange = await fetched(reader, await postTo(sender, [reader], 'Hello.'))
        organizations.add(exchange.body.message.sender_realm_str)
        t.that('SCOPE-1', exchange, organizations.size === 1, `one \`sender_realm_str\`, not ${[...organizations]}`)
      }
    },
  },
]

/** `user` becomes an owner, which `deputy`, an administrator, cannot change, and then stops being one. */
async function ownership(
  t: CheckContext,
  owner: Account,
  { user, deputy }: { readonly user: Account; readonly deputy: Account },
): Promise<void> {
  const queue = await listen(owner, ['realm_user'])
  if (!succeeds(by(t, 'USER-UPD-5'), await update(owner, user, { role: ROLE.owner }), 'owners make owners')) return
  try {
    const person = { user_id: user.userId, role: ROLE.owner }
    await eventOf(by(t, 'EV-REALMUSER-13'), queue, { type: 'realm_user', op: 'update', person })
    const exchange = await profile(owner, user)
    t.that('USER-UPD-5', exchange, exchange.body.user.role === ROLE.owner, `\`role\` is ${ROLE.owner}`)
    refuses(by(t, 'USER-UPD-6'), await update(deputy, user, { role: ROLE.member }), 'only owners unmake owners')
    const still = await profile(owner, user)
    t.that('USER-UPD-6', still, still.body.user.role === ROLE.owner, `\`role\` is still ${ROLE.owner}`)
    // `lastOwner` does not count deactivated owners.
    await user.must('update-user', { user_id_or_email: deputy.userId, role: ROLE.owner })
    await user.must('deactivate-user', { user_id_or_email: deputy.userId })
  } finally {
    // With two owners, another run may just have demoted this one.
    await update(user, owner, { role: ROLE.owner })
    succeeds(by(t, 'USER-UPD-6'), await update(owner, user, { role: ROLE.member }), 'an owner unmakes another one')
  }
  const member = await profile(owner, user)
  t.that('USER-UPD-6', member, member.body.user.role === ROLE.member, `\`role\` is ${ROLE.member}`)
  await lastOwner(t, owner)
}

/** Not checked if there are other owners, or on other servers: one without the rule would lose its only owner. */
async function lastOwner(t: CheckContext, owner: Account): Promise<void> {
  if (!t.deployment.isParley) return
  const { body } = await owner.must('get-users')
  const owners = body.members.filter((one: Json) => one.is_active && !one.is_bot && one.role === ROLE.owner)
  if (owners.length !== 1) return
  refuses(by(t, 'USER-UPD-7'), await update(owner, owner, { role: ROLE.administrator }), 'there would be no owner left')
  const still = await profile(owner, owner)
  t.that('USER-UPD-7', still, still.body.user.role === ROLE.owner, `\`role\` is still ${ROLE.owner}`)
}

/** Checks that somebody below administrator is refused, against requirement `id`. */
export function onlyAdministrators(t: CheckContext, id: string, exchange: Exchange): void {
  const code = exchange.body?.code
  const expected = 'UNAUTHORIZED_PRINCIPAL, because the caller is not an administrator'
  const isSo = isRefused(exchange) && code === 'UNAUTHORIZED_PRINCIPAL'
  t.thatOrDeviates('NOTE-34', id, exchange, isSo, expected, isRefused(exchange) && code === 'BAD_REQUEST')
}

function update(caller: Account, { userId }: Account, values: Readonly<Record<string, unknown>>): Promise<Exchange> {
  return caller.call('update-user', { user_id_or_email: String(userId), ...values })
}

function profile(caller: Account, { userId }: Account): Promise<Exchange> {
  return caller.must('get-user', { user_id_or_email: String(userId), client_gravatar: false })
}

/** Fields of the user that differ between two answers. */
function changed(before: Exchange, after: Exchange): string[] {
  const [one, other] = [before.body.user, after.body.user]
  return Object.keys({ ...one, ...other }).filter((name) => canonical(one[name]) !== canonical(other[name]))
}
